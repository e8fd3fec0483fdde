import type { FaultyFile } from '../fault.ts'

export const events: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/causes/events/actions/plan-matches.ts',
    tests: ['server/src/rooms/causes/events/other-teams.test.ts'],
    faults: [["if (poster === null || poster.can('run.cancel', team)) return null", 'return null']],
  },
  {
    file: 'server/src/rooms/causes/events/actions/plan-override.ts',
    tests: [
      'server/src/rooms/causes/events/posted-rights.test.ts',
      'server/src/rooms/causes/events/events.test.ts',
      'server/src/rooms/causes/sources/vouching.test.ts',
    ],
    faults: [
      ["if (poster?.can('run.start', override.teamPath) === false) {", 'if (false) {'],
      [
        "return teams.every((team) => owner?.can('override.write', team) === true)",
        'return true',
        ['server/src/rooms/causes/events/other-teams.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/actions/receive-event.ts',
    tests: ['server/src/rooms/causes/events/events.test.ts'],
    faults: [['await means.audit.record(tx, {', 'void (tx, {']],
  },
  {
    file: 'server/src/rooms/causes/events/actions/resolve-event.ts',
    tests: ['server/src/rooms/causes/events/repository.test.ts'],
    faults: [
      ['if (!(await markResolved(tx, eventId, result))) return false', 'await markResolved(tx, eventId, result)'],
      ['if (both !== undefined && both !== result) await correctResult(tx, eventId, both)', ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/read-events.ts',
    tests: ['server/src/rooms/causes/sources/events.test.ts'],
    faults: [
      ["(caller.can('event.read', source.teamPath) ? [id] : [])", '[id]'],
      ["const maySee = caller.can('event.read', teamPath ?? '/')", 'const maySee = true'],
      ["caller.can('event.read', source?.teamPath ?? '/') && source !== undefined", 'source !== undefined'],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/actions/start-directly.ts',
    tests: ['server/src/rooms/causes/events/posted-rights.test.ts'],
    faults: [
      ['!(await means.access.snapshot()).canUseScope(caller, wanted.scope)', 'false'],
      [
        "const pipeline = requireVisible(caller, 'pipeline.read', found, () =>",
        "const pipeline = found ?? requireVisible(caller, 'pipeline.read', found, () =>",
      ],
      ["!caller.can('run.start', pipeline.teamPath) ||", ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/actions/start-run.ts',
    tests: ['server/src/rooms/causes/events/posted-rights.test.ts', 'server/src/rooms/causes/events/events.test.ts'],
    faults: [
      ['grants.canUseScope(poster, scope) &&', '', ['server/src/rooms/causes/events/posted-rights.test.ts']],
      ["poster.can('run.start', pipeline.teamPath) &&", '', ['server/src/rooms/causes/events/posted-rights.test.ts']],
      [
        'ownerMayUseScope: owner !== undefined && grants.canUseScope(owner, wanted.scope),',
        'ownerMayUseScope: true,',
        ['server/src/rooms/causes/events/posted-rights.test.ts'],
      ],
      [
        "ownerMaySee: pipeline !== undefined && owner?.can('pipeline.read', pipeline.teamPath) === true",
        'ownerMaySee: true',
      ],
      [
        "ownerMayStart: pipeline !== undefined && owner?.can('run.start', pipeline.teamPath) === true",
        'ownerMayStart: true',
      ],
      ['untrusted: fork,', ''],
      ["return repository.clone_url === null || poster.can('pipeline.write', pipeline.teamPath)", 'return true'],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/rules/start.ts',
    tests: ['server/src/rooms/causes/events/rules/start.test.ts'],
    faults: [
      ['if (facts.scopeProtected) {', 'if (false) {'],
      ['if (!facts.ownerMayStart) {', 'if (false) {'],
      ['if (!facts.ownerMayUseScope) return `${facts.ownerName} may not use the scope ${facts.scope}.`', ''],
      ['if (!facts.posterMayStart) {', 'if (false) {'],
      ['if (!facts.pipeline || !facts.ownerMaySee) {', 'if (!facts.pipeline) {'],
      ['if (facts.event.after === null) return NO_COMMIT', ''],
      ['return isAboutPullRequest(kind) || isOfUnknownOrigin(event)', 'return isOfUnknownOrigin(event)'],
      ['return isAboutPullRequest(kind) || isOfUnknownOrigin(event)', 'return isAboutPullRequest(kind)'],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/store/events.ts',
    tests: ['server/src/rooms/causes/events/store/events.test.ts'],
    faults: [
      [
        "    .set({ resolution: 'done', result })\n    .where('id', '=', eventId)\n    .where('resolution', '=', 'pending')",
        "    .set({ resolution: 'done', result })\n    .where('id', '=', eventId)",
      ],
      ['  return row !== undefined\n', '  return true\n'],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/store/heads.ts',
    tests: ['server/src/rooms/causes/events/store/heads.test.ts'],
    faults: [
      [
        '    where excluded.occurred_at is null or held.occurred_at is null or excluded.occurred_at >= held.occurred_at`',
        '  `',
      ],
      ['excluded.occurred_at >= held', 'excluded.occurred_at > held'],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/actions/ask-for-head.ts',
    tests: ['server/src/rooms/causes/events/abbreviated-head.test.ts'],
    faults: [
      ['const moved = needsAskedHead(completed) && pullRequest.head.sha_prefix !== undefined', 'const moved = false'],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/actions/find-checkout.ts',
    tests: ['server/src/rooms/causes/events/requested-repository.test.ts'],
    faults: [
      [
        'if (access === undefined || context.feeds?.(teamPath) !== true) continue',
        'if (access === undefined) continue',
      ],
      [
        "if (!isName(repository)) return { field: 'repository', problem: 'repository must be owner/name, such as acme/shop.' }",
        '',
      ],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/rules/pull-request-head.ts',
    tests: ['server/src/rooms/causes/events/rules/pull-request-head.test.ts'],
    faults: [
      ["if (event.kind !== 'pull_request' && asked.fromFork) return event", ''],
      ["if (!asked.headSha.startsWith(pullRequest.head.sha_prefix ?? '')) return event", ''],
      ['if (isLater(known.occurredAt, event.occurred_at)) return event', ''],
      ['if (namedHead(event) !== undefined && !isSameHead(event, known)) return event', ''],
      ['pullRequest.from_fork || asked.fromFork', 'asked.fromFork'],
      ["return kind === 'pull_request' || pullRequest?.from_fork === false", 'return true'],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/rules/repetition.ts',
    tests: ['server/src/rooms/causes/events/changes-of-refs.test.ts'],
    faults: [
      ['return mayBeSame(one.page, other.page) && mayBeSame', 'return mayBeSame'],
      [
        'mayBeSame(one.page, other.page) && mayBeSame(one.repositoryId, other.repositoryId)',
        'mayBeSame(one.page, other.page)',
      ],
      ['return one === null || other === null || one === other', 'return one === other'],
      ['  return same[times]\n', '  return oldest\n'],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/rules/repository-place.ts',
    tests: ['server/src/rooms/causes/events/rules/repository-place.test.ts'],
    faults: [['if (isFromFork(event)) {', 'if (false) {']],
  },
  {
    file: 'server/src/rooms/causes/events/actions/read-resolution.ts',
    tests: ['server/src/rooms/causes/events/resolution.test.ts'],
    faults: [
      ["=> caller.can('override.read', override.teamPath)", '=> true'],
      [".filter(({ trigger }) => caller.can('trigger.read', trigger.teamPath))", ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/events/actions/read-resolution.ts',
    tests: ['server/src/rooms/causes/events/resolution.test.ts'],
    faults: [
      ["if (caller.prefixes('override.read').length === 0) {", "if (caller.prefixes('override.read').length < 0) {"],
    ],
  },
]
