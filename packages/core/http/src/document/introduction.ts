/** Text for all operations, as CommonMark. */
export const introduction = `Underwriting, quoting and distance to coast for home insurance.

**Requests.** Operations are \`POST\` with JSON in and out, in \`snake_case\`; a few that only read are \`GET\`. \`null\` means not given. Named values are accepted in any case, with or without blanks and hyphens: \`"HO-3"\` is \`ho3\`. Numbers are digits without separators or signs of currency: \`250000\`, not \`"$250,000"\`. The maximum size of a body is 256 KiB.

**Tokens.** \`Authorization: Bearer <token>\` everywhere. A token needs one of the scopes that the operation names.

**Problems.** All errors are problem details (RFC 9457), \`application/problem+json\`, with every fault of the request and its JSON Pointer. Checks run in this order, and the first that fails determines the answer: \`Host\` (400), route (404, 405), token (401), scope (403) or another tenant’s (404), announced (501), rate limit (429). Body: media type (415), size (413), JSON (400), idempotency (409), schema and rules across fields (422). A path under another method is answered 405 with \`Allow\`. Resources of another tenant and missing ones are the same 404. Messages that are not valid HTTP requests are answered in the same form: 400 \`malformed_request\`, 408 \`request_timeout\`, 413, 417 \`expectation_failed\`, 431 \`headers_too_large\`.

**Answers.** Each carries \`X-Request-Id\`: the caller’s own when sane, else a new one; log lines have it, too.`;
