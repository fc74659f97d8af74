/** Values of one sign-in, made and kept by the browser or the command line. */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** SHA-256 of the code verifier, in base64url. */
  readonly codeChallenge: string;
  /** Place of the code in the redirect: after `#`, which no server sees, or after `?`. */
  readonly responseMode: 'fragment' | 'query';
}

/** The code that the provider returned, and what proves that it belongs to this sign-in. */
export interface CodeExchange {
  readonly code: string;
  readonly redirectUri: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** `iss` of the provider's response (RFC 9207); undefined if it is missing. */
  readonly issuer: string | undefined;
}

/** A person whom the provider has identified. */
export interface IdentifiedPerson {
  readonly issuer: string;
  readonly subject: string;
  /** undefined unless the provider confirms that the address is the person's. */
  readonly verifiedEmail: string | undefined;
  /** True if the provider has an address that it does not confirm. Explains a refusal. */
  readonly hasUnverifiedEmail: boolean;
  readonly name: string | undefined;
}

/**
 * Port: an identity provider.
 *
 * Both methods reject with a `SignInError`, and only with one.
 */
export interface SignInProvider {
  /** Name for people: `Sign in with …`. */
  readonly name: string;
  /** Address to send the person to. */
  authorizationUrl(request: AuthorizationRequest): Promise<{ readonly url: string; readonly issuer: string }>;
  /** Exchanges the code for the identity, and verifies it. */
  exchange(exchange: CodeExchange): Promise<IdentifiedPerson>;
}

/** Causes of a failed sign-in. The first two are not the person's: the provider is out of reach, or does not accept this service. */
export type SignInErrorCode =
  | 'provider_unavailable'
  | 'client_refused'
  | 'code_refused'
  | 'issuer_mismatch'
  | 'id_token_refused';

/** A failed sign-in. Its message has no code, token or personal data, and can be shown and logged. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly code: SignInErrorCode;

  constructor(code: SignInErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  /** True if the person can do nothing about it. */
  get isUnavailable(): boolean {
    return this.code === 'provider_unavailable' || this.code === 'client_refused';
  }
}
