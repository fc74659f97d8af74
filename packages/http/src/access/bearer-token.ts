const bearer = /^bearer +(\S(?:.{0,1022}\S)?)$/i;

/** The token of an `Authorization: Bearer …` field; undefined where there is none to speak of. */
export function bearerToken(authorization: string | null): string | undefined {
  return authorization === null ? undefined : bearer.exec(authorization.trim())?.[1];
}
