import type { FaultyFile } from '../fault.ts'

const ROOM = 'server/src/rooms/catalog/git-apps'
const REGISTRATION = [`${ROOM}/registration.test.ts`]
const INSTALLATIONS = [`${ROOM}/installations.test.ts`]
const FAULTS = [`${ROOM}/faults.test.ts`]
const CALLS = [`${ROOM}/calls.test.ts`]

export const gitApps: readonly FaultyFile[] = [
  {
    file: `${ROOM}/actions/take-flow.ts`,
    tests: REGISTRATION,
    faults: [
      ["if (!caller.can('git_app.write', '/')) return 'denied'", ''],
      ['caller?.sessionId === sessionId && caller.id === starterId', 'caller?.id === starterId'],
      ['if (sessionId === null) return means', 'if (sessionId !== undefined) return means'],
    ],
  },
  {
    file: `${ROOM}/store/flows.ts`,
    tests: REGISTRATION,
    faults: [["    .where('consumed_at', 'is', null)\n", '']],
  },
  {
    file: `${ROOM}/store/flows.ts`,
    tests: ['server/src/row-locks.test.ts'],
    faults: [[".where('state_sha256', '=', stateSha256).forUpdate()", ".where('state_sha256', '=', stateSha256)"]],
  },
  {
    file: `${ROOM}/jobs.ts`,
    tests: FAULTS,
    faults: [['        await resealAnswers(means)\n', '']],
  },
  {
    file: `${ROOM}/rules/registration.ts`,
    tests: REGISTRATION,
    faults: [
      ['flow.expiresAt <= back.now', 'false'],
      ['flow.provider !== back.provider', 'false'],
    ],
  },
  {
    file: `${ROOM}/actions/finish-registration.ts`,
    tests: REGISTRATION,
    faults: [
      ["  await storeKey(means, tx, { provider, kind: 'private_key', value: privateKey }, true)\n", ''],
      ['if (error instanceof Problem && withSource) {', 'if (false) {'],
    ],
  },
  {
    file: `${ROOM}/actions/finish-registration.ts`,
    tests: FAULTS,
    faults: [
      ["if (!origin?.caller.can('git_app.write', '/')) return 'denied'", "if (!origin) return 'denied'"],
      ["if (await lockApp(tx, provider)) return 'already_registered'", ''],
    ],
  },
  {
    file: `${ROOM}/actions/exchange-code.ts`,
    tests: FAULTS,
    faults: [['        await means.jobs.add(tx, FINISH_JOB', '        if (false) await means.jobs.add(tx, FINISH_JOB']],
  },
  {
    file: `${ROOM}/actions/show-registration.ts`,
    tests: [`${ROOM}/upkeep.test.ts`],
    faults: [["  requirePermission(caller, 'git_app.read', '/')\n", '']],
  },
  {
    file: `${ROOM}/actions/start-registration.ts`,
    tests: REGISTRATION,
    faults: [["  requirePermission(origin.caller, 'git_app.write', '/')\n", '']],
  },
  {
    file: `${ROOM}/actions/hear-delivery.ts`,
    tests: INSTALLATIONS,
    faults: [["if (row && news.restricts === 'suspended') await restrict(means, tx, row, SUSPENDED)", '']],
  },
  {
    file: `${ROOM}/actions/refresh-installation.ts`,
    tests: INSTALLATIONS,
    faults: [["if (locked && locked.version !== before?.version) return 'outdated'", '']],
  },
  {
    file: `${ROOM}/actions/write-installation.ts`,
    tests: INSTALLATIONS,
    faults: [['const row = before.deletedAt ? before : withProof', 'const row = withProof']],
  },
  {
    file: `${ROOM}/actions/find-access.ts`,
    tests: CALLS,
    faults: [
      ['|| app.baseUrl !== baseUrl) {', ') {'],
      ['found.filter(({ repositories }) => admits({ repositories, fullName: repository }))', 'found'],
    ],
  },
  {
    file: `${ROOM}/tokens/own-logins.ts`,
    tests: [`${ROOM}/tokens/own-logins.test.ts`],
    faults: [
      ['notifications.listen(CHANNEL, () => known.clear())', 'notifications.listen(CHANNEL, () => undefined)'],
      ['if (known.get(sourceId)?.answer === answer) known.delete(sourceId)', ''],
      ['clock.monotonic() - held.askedAt < MAX_AGE_MS', 'true'],
    ],
  },
  {
    file: `${ROOM}/tokens/token-cache.ts`,
    tests: CALLS,
    faults: [['Date.parse(expiresAt) - MARGIN_MS', 'Date.parse(expiresAt)']],
  },
  {
    file: `${ROOM}/tokens/token-cache.ts`,
    tests: [`${ROOM}/tokens/token-cache.test.ts`],
    faults: [
      [
        'JSON.stringify([provider, baseUrl, appId, proof, installationId,',
        'JSON.stringify([provider, baseUrl, appId, installationId,',
      ],
      ['if (entries.get(key)?.held === refused) entries', 'entries'],
    ],
  },
]
