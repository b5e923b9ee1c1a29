// What the figures are called: of a transcript, what could have been sent with palimpsest; of the proxy, what was sent. A session is the agent's.

const RECORDED = {
  tokens: 'Tokens sent',
  cost: 'Cost today',
  costOfSession: 'Cost with palimpsest',
  before: 'as they were sent',
  after: 'with palimpsest',
  line: 'as sent',
  lineAfter: 'with palimpsest',
  cutting: 'of which palimpsest would have cut',
  sums: (tokens: string, counts: string, sent: string) => `${tokens} sent (${counts}), ${sent} with palimpsest`,
  reported: 'as the provider reported them',
  costs: (cost: string, costOfSession: string) => `${cost}, ${costOfSession} with palimpsest`,
  figures: ['sent', 'with palimpsest', 'cost', 'cost with it'],
  missing: 'Name its file to `palimpsest report` to see them.',
};

/** What the figures are called. */
export type Words = typeof RECORDED;

const PROXIED: Words = {
  tokens: 'Tokens that came',
  cost: 'Cost without palimpsest',
  costOfSession: 'Cost as sent',
  before: 'as they came',
  after: 'as they were sent',
  line: 'as it came',
  lineAfter: 'as it was sent',
  cutting: 'of which palimpsest cut',
  sums: (tokens: string, counts: string, sent: string) => `${tokens} came (${counts}), ${sent} were sent`,
  reported: 'scaled to what the provider reported',
  costs: (cost: string, costOfSession: string) => `${costOfSession} as sent, ${cost} without palimpsest`,
  figures: ['came', 'sent', 'cost without', 'cost'],
  missing: '',
};

export const wordsFor = ({ isProxied }: { isProxied?: boolean }): Words => (isProxied ? PROXIED : RECORDED);
