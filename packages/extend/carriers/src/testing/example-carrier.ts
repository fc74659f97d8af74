/** Everything that a description can have. */
export function exampleCarrier(url: string): Record<string, unknown> {
  return {
    format: 1,
    carrier: { key: 'lantern_mutual', name: 'Lantern Mutual' },
    offers: [{ form_types: ['ho3', 'ho5'], states: ['fl', 'ga'] }],
    idempotent: true,
    auth: { type: 'bearer', token: '$' + '{CARRIER_TOKEN}' },
    request: {
      method: 'POST',
      url: `${url}/quotes?form={{form_type}}`,
      headers: { 'X-Producer': '{{producer_email}}' },
      body: {
        reference: '{{rate_id}}',
        insured: { name: '{{fields.first_name}} {{fields.last_name}}', born: '{{fields.insured_date_of_birth}}' },
        dwelling: {
          coverageA: '{{fields.dwelling_a}}',
          yearBuilt: '{{fields.year_built}}',
          roof: {
            $value: 'fields.roof_option',
            map: { metal: 'MTL', 'architectural shingle': 'ARCH' },
            otherwise: 'OTH',
          },
          protectionClass: { $value: 'fields.protection_class', as: 'number' },
          pool: '{{fields.swimming_pool}}',
        },
      },
    },
    response: {
      outcome: {
        path: '/decision',
        values: { approved: 'quoted', refer: 'referred', declined: 'declined', incomplete: 'needs_information' },
      },
      premium: '/quote/premium',
      carrier_quote_number: '/quote/id',
      carrier_quote_url: '/quote/link',
      expires_at: '/quote/goodUntil',
      messages: {
        path: '/notes',
        level: '/kind',
        levels: { stop: 'error' },
        code: '/code',
        message: '/text',
        field: '/field',
      },
      documents: { path: '/papers', title: '/label', url: '/href', media_type: '/kind' },
      fees: { path: '/quote/fees', code: '/code', name: '/label', amount: '/amount' },
    },
    statuses: { '422': 'needs_information' },
    lookup: {
      request: { method: 'GET', url: `${url}/quotes/{{idempotency_key}}` },
      absent_statuses: [404],
    },
    limits: { concurrency: 16, deadline_ms: 5000, max_attempts: 3, backoff_ms: [10, 100] },
  };
}
