/** A unique person: any later occurrence of these values reveals a leak and its origin. */
export interface Planted {
  readonly first: string;
  readonly last: string;
  readonly email: string;
  readonly phone: string;
  readonly born: string;
  readonly street: string;
  readonly note: string;
  readonly ssn: string;
  /** Looks like a token, but is invalid. */
  readonly token: string;
}

let serial = 0;

export function plant(): Planted {
  serial++;
  const [first, last] = [`Zephyrina${serial}q`, `Quillfeather${serial}q`];
  return {
    first,
    last,
    email: `${first}.${last}@planted.example`.toLowerCase(),
    phone: `352-555-${2000 + serial}`,
    born: new Date(Date.UTC(1931, 0, serial)).toISOString().slice(0, 10),
    street: `Wisteria${serial}q Hollow Lane`,
    note: `her dog ${serial}q bites`,
    ssn: `078-05-${4000 + serial}`,
    token: `lw_demo_${String(serial).padStart(26, '0')}_${`secret${serial}q`.repeat(6)}`,
  };
}

/** What to look for of a person. */
export function personalOf({ last, email, phone, born, street, note, ssn }: Planted): string[] {
  return [last, email, phone, born, street, note, ssn];
}

/** What to look for of a token: a part of its secret is a secret, too. */
export function secretOf(token: string): string[] {
  const secret = token.split('_').at(-1)!;
  return [secret.slice(0, 16), secret.slice(-16)];
}

/** Header fields in which a careless client writes what does not belong there. */
export function carelessHeaders({ first, last, email, phone, born, ssn, token }: Planted): Record<string, string> {
  return {
    cookie: `session=${token}; who=${last}`,
    'user-agent': `agency/1.0 (${email})`,
    referer: `https://crm.example/?token=${token}&phone=${phone}`,
    from: email,
    'x-api-key': token,
    'proxy-authorization': `Basic ${token}`,
    baggage: `user=${last}`,
    'x-insured': `${first} ${last}; ${born}; ${ssn}`,
    // Harmless ids are accepted and logged; a name cannot be distinguished from an id.
    'x-request-id': serial % 2 === 0 ? `trip-${token}` : phone,
  };
}

/** As a query string. */
export function carelessQuery({ email, street, token }: Planted): string {
  return `?email=${encodeURIComponent(email)}&street=${encodeURIComponent(street)}&token=${token}`;
}

/** Returns the values that occur in a text: verbatim, URL-encoded, or, for a phone number, as digits only. */
export function foundIn(text: string, values: Iterable<string>): string[] {
  const folded = text.toLowerCase();
  return [...values].filter((value) => spellings(value).some((each) => folded.includes(each)));
}

function spellings(value: string): string[] {
  const digits = /^\d{3}-\d{3}-\d{4}$/.test(value) ? [value.replaceAll('-', '')] : [];
  const all = [value, encodeURIComponent(value), value.replaceAll(' ', '+'), ...digits];
  return all.map((each) => each.toLowerCase());
}
