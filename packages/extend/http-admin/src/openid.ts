export { createOpenIdProvider, type OpenIdOptions, type OpenIdProvider } from './sign-in/openid-provider.ts';
