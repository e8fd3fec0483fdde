import type { FaultyFile } from '../fault.ts'

const ROOM = 'server/src/rooms/causes/reports'

export const reports: readonly FaultyFile[] = [
  {
    file: `${ROOM}/actions/report-status.ts`,
    tests: [`${ROOM}/commit-statuses.test.ts`],
    faults: [
      ["if (stored.heldUntil !== null && stored.heldUntil > means.clock.now()) return { outcome: 'busy' }", ''],
      ["if (!run || !check) return { outcome: 'outdated' }", ''],
      ['if (!run || !telling || telling.told === before.told) {', 'if (!run || !telling) {'],
    ],
  },
  {
    file: `${ROOM}/store/commit-statuses.ts`,
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      ['.forUpdate()', ''],
      ["    .where('held_until', '=', reservedUntil)\n", '', ['server/src/fences.test.ts']],
    ],
  },
  {
    file: `${ROOM}/actions/tell-check.ts`,
    tests: [`${ROOM}/checks.test.ts`],
    faults: [['if (checkId === null && before.creating) {', 'if (false) {']],
  },
  {
    file: `${ROOM}/actions/hear-rerun.ts`,
    tests: [`${ROOM}/checks.test.ts`],
    faults: [
      ["if (permission.outcome !== 'found' || !permission.value.mayWrite)", "if (permission.outcome !== 'found')"],
      ['(runId === externalId ? [runId] : [])', '[externalId]'],
      ['userId: await means.identities.findGitUser(means.database.kysely, account)', 'userId: undefined'],
    ],
  },
  {
    file: `${ROOM}/actions/write-comment.ts`,
    tests: [`${ROOM}/sticky-comments.test.ts`],
    faults: [
      [
        'if (stored.heldUntil !== null && stored.heldUntil > now) return { waitUntil: new Date(now.getTime() + BUSY_MS) }',
        '',
      ],
      ['if (next > now) return { waitUntil: next }', ''],
      ['if (commentId === null && creating) {', 'if (false) {'],
      [
        "if (changed.outcome !== 'not_found' || recreatedAt !== null) return changed",
        "if (changed.outcome !== 'not_found') return changed",
      ],
    ],
  },
  {
    file: `${ROOM}/rules/markdown.ts`,
    tests: [`${ROOM}/rules/markdown.test.ts`],
    faults: [
      [".replaceAll('`', \"'\")", ''],
      [".replaceAll('|', '\\u2502')", ''],
      [".replaceAll(UNSEEN, ' ')", ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/rules/judge-reading.ts',
    tests: ['server/src/rooms/causes/sources/rules/judge-reading.test.ts'],
    faults: [
      ['if (!outside) return isOwn(', 'return isOwn('],
      ['return isOwn(reading.events, ownLogin) ? OWN :', 'return'],
      ['return events.every(', 'return events.some('],
    ],
  },
]
