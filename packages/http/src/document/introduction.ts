/** What holds for every operation, as CommonMark. */
export const introduction = `Underwriting, quoting and distance to coast for home insurance.

**Requests.** Operations are \`POST\` with JSON in and out, in \`snake_case\`; only those of operation are \`GET\`. \`null\` means not given. Words that name a value are taken in any case, with or without blanks and hyphens: \`"HO-3"\` is \`ho3\`. Bodies may have 256 KiB.

**Tokens.** \`Authorization: Bearer <token>\` everywhere. Each operation names the scopes of which a token needs one.

**Problems.** Whatever is not answered with 200 is answered with problem details (RFC 9457), \`application/problem+json\`, all faults of the request in one, each with a JSON Pointer. What is wrong is looked at in this order, and the first that fails answers: route (404, 405), token (401), scope (403) or another tenant’s (404), announced (501), rate limit (429), media type (415), size (413), JSON (400), idempotency (409), schema and rules across fields (422). A path under another method is answered 405 with \`Allow\`. Another tenant’s things and those that are not there are one 404. What cannot be read as an HTTP request is answered alike: 400 \`malformed_request\`, 408 \`request_timeout\`, 413, 417 \`expectation_failed\`, 431 \`headers_too_large\`.

**Answers.** Each carries \`X-Request-Id\`: the caller’s own when sane, else a new one; log lines have it, too.`;
