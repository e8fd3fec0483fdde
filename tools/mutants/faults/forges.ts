import type { FaultyFile } from '../fault.ts'

const FORGES = 'server/src/adapters/forges'

export const forges: readonly FaultyFile[] = [
  {
    file: 'server/src/adapters/forges/answer-text.ts',
    tests: [`${FORGES}/api-client.test.ts`, `${FORGES}/api-failures.test.ts`, `${FORGES}/hostile-provider.test.ts`],
    faults: [['if (bytes > most) return', 'if (false) return']],
  },
  {
    file: `${FORGES}/api-client.ts`,
    tests: [`${FORGES}/api-client.test.ts`, `${FORGES}/api-failures.test.ts`, `${FORGES}/hostile-provider.test.ts`],
    faults: [
      ["redirect: 'manual',", "redirect: 'follow',"],
      [
        'const secret = connection.token !== undefined || call.confidential === true',
        'const secret = connection.token !== undefined',
      ],
      [
        "return pathBelow(headers.get('location') ?? '', call.apiUrl ?? baseUrl)",
        "return new URL(headers.get('location') ?? '', baseUrl).pathname",
      ],
      ['if (items.length > MAX_ITEMS) {', 'if (false) {'],
      ['if (asked.has(path))', 'if (false)'],
      ['if (number > walk.most.pages) {', 'if (number > 100 * walk.most.pages) {'],
      ['readProviderMessage(parsed.value, secretsOf(connection, call))', 'readProviderMessage(parsed.value, [])'],
    ],
  },
  {
    file: `${FORGES}/api-failures.ts`,
    tests: [`${FORGES}/api-failures.test.ts`],
    faults: [
      ['bounded(instant - answered)', 'bounded(instant)'],
      ["{ cause: 'suspended', status }", "{ cause: 'refused', status }"],
      ['quoted && message !== undefined', 'message !== undefined'],
    ],
  },
  {
    file: `${FORGES}/github/app/installations.ts`,
    tests: [`${FORGES}/github/app/installations.test.ts`],
    faults: [
      ['value === undefined || value.installationId !== installationId', 'value === undefined'],
      [
        "return isOfApp(answer.value.body, connection) ? { outcome: 'found', value } : { outcome: 'not_found' }",
        "return { outcome: 'found', value }",
      ],
      ['if (repository !== null && !isNarrowed(body, repository)) {', 'if (false) {'],
      ['{ repositories: [', '{ other: ['],
      ['{ permissions: grants }', '{}'],
    ],
  },
  {
    file: `${FORGES}/github/app/call-as-app.ts`,
    tests: [`${FORGES}/github/app/call-as-app.test.ts`],
    faults: [
      ['skewMs = measured', 'skewMs = 1'],
      ['for (const key of keys) {', 'for (const key of keys.slice(0, 1)) {'],
    ],
  },
  {
    file: `${FORGES}/github/app/private-key.ts`,
    tests: [`${FORGES}/github/app/private-key.test.ts`],
    faults: [
      ["if (key.asymmetricKeyType !== 'rsa')", 'if (false)'],
      ['if (bits < LEAST_BITS) {', 'if (false) {'],
    ],
  },
  {
    file: `${FORGES}/github/app/describe.ts`,
    tests: [`${FORGES}/github/app/registration.test.ts`, `${FORGES}/github/app/installations.test.ts`],
    faults: [['URL.canParse(baseUrl) && new URL(url).origin === new URL(baseUrl).origin', 'URL.canParse(baseUrl)']],
  },
  {
    file: `${FORGES}/repository-pages.ts`,
    tests: [`${FORGES}/github/app/installation-repositories.test.ts`],
    faults: [['(known.has(further) || items.length >= list.size)', 'known.has(further)']],
  },
]
