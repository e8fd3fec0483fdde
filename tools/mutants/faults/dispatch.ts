import type { FaultyFile } from '../fault.ts'

export const dispatch: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/execution/dispatch/actions/build-assign.ts',
    tests: ['server/src/rooms/execution/dispatch/untrusted.test.ts'],
    faults: [
      ['if (refusal !== undefined) return { impossible: refusal }', ''],
      ['...Object.values(secrets.values),', ''],
      ['...environment.sensitiveValues,', ''],
      ['...Object.values(run.secretVariables),', '', ['server/src/rooms/execution/dispatch/children.test.ts']],
      [
        '[...hidden, ...logins.map(({ password }) => password)]',
        '[...hidden]',
        ['server/src/rooms/execution/dispatch/registries.test.ts'],
      ],
      [
        'stopWhenLeaseEnds: mayFollowLoss(task, assignment.number - countHandedBack(run, assignment))',
        'stopWhenLeaseEnds: false',
        ['server/src/rooms/execution/dispatch/leases.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/actions/try-item.ts',
    tests: ['server/src/rooms/execution/dispatch/trials.test.ts'],
    faults: [
      ['if (this.#left <= 0 || now >= this.#endsAt) return false', 'if (now >= this.#endsAt) return false'],
      ['own >= TRIAL_LIMITS.perCaller || ', '', ['server/src/rooms/execution/dispatch/actions/try-item.test.ts']],
      [
        ' || this.#callers.length >= TRIAL_LIMITS.perProcess',
        '',
        ['server/src/rooms/execution/dispatch/actions/try-item.test.ts'],
      ],
      [
        'this.#callers.splice(this.#callers.indexOf(caller), 1)',
        '',
        ['server/src/rooms/execution/dispatch/actions/try-item.test.ts'],
      ],
      ["status === 'failure' && reason !== null ? this.#means.knowledge.violatorsOf(reason) : []", '[]'],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/actions/find-refusal.ts',
    tests: ['server/src/rooms/execution/dispatch/refusals.test.ts'],
    faults: [
      [
        "if (!caller.can('run.start', run.teamPath)) return `${initiator.name} may no longer start runs of ${run.teamPath}.`",
        '',
      ],
      ['if (!(await means.access.canUseScope(caller, run.scope))) {', 'if (false) {'],
      ['if (found?.protected === false) return undefined', 'return undefined'],
      ['(await findProtection(means, db, run, run.scope)) ?? ', ''],
      [
        "if (!caller.can('run.start', teamPath)) return `${directive}: ${initiator.name} may not start runs of ${teamPath}.`",
        '',
      ],
      [
        'if (!caller) return `${initiator.name} may start nothing any more: the account is disabled or gone.`',
        'if (!caller) return undefined',
      ],
      ['references: [inScope, ...references], untrusted,', 'references: [...references], untrusted,'],
      [
        'references: [inScope, ...references], untrusted, who',
        'references: [inScope, ...references], untrusted: false, who',
      ],
      [
        'const wanted = { teamPath, references, untrusted, who: initiator.name }',
        'const wanted = { teamPath, references, untrusted: false, who: initiator.name }',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/actions/greet-runner.ts',
    tests: [
      'server/src/rooms/execution/dispatch/leases.test.ts',
      'server/src/rooms/execution/dispatch/streams.test.ts',
    ],
    faults: [
      ['if (runner.draining) session.drain()', ''],
      ['|| begun.has(row.fence)', ''],
      ['lost: [...inHand].filter((fence) => !session.assignments.has(fence)).map(BigInt),', 'lost: [],'],
      ['if (cancelReason !== null) means.sessions.cancel(runner.id, fence, cancelReason)', ''],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/actions/read-credentials.ts',
    tests: [
      'server/src/rooms/execution/dispatch/untrusted.test.ts',
      'server/src/rooms/execution/dispatch/registries.test.ts',
    ],
    faults: [
      ['if (run.untrusted) return { values: {} }', ''],
      ['credentials.length === 0 || run.untrusted', 'credentials.length === 0'],
      ['if (unsafe) return { impossible: `The repository cannot be checked out: ${unsafe}` }', ''],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/dispatcher/dispatcher.ts',
    tests: [
      'server/src/rooms/execution/dispatch/two-processes.test.ts',
      'server/src/rooms/execution/dispatch/poison.test.ts',
    ],
    faults: [
      ["if (hasCode(error, 'runs.attempt_taken') && attempt < ATTEMPTS) continue", ''],
      ['for (const id of moved) this.#known.delete(id)', ''],
      ['for (const { runnerId, fence } of ended) sessions.cancel(runnerId, fence, reason)', ''],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/dispatcher/isolation.ts',
    tests: [
      'server/src/rooms/execution/dispatch/poison.test.ts',
      'server/src/rooms/execution/dispatch/dispatcher/isolation.test.ts',
    ],
    faults: [['if (this.#endedAt.length >= MOST_ENDED) {', 'if (false) {']],
  },
  {
    file: 'server/src/rooms/execution/dispatch/rpc/heartbeats.ts',
    tests: [
      'server/src/rooms/execution/dispatch/leases.test.ts',
      'server/src/rooms/execution/dispatch/streams.test.ts',
    ],
    faults: [
      ['for (const fence of lost) session.assignments.delete(fence)', ''],
      ['if (session.draining) await this.#settle()', ''],
      [
        'value: { sequence: heartbeat.sequence, lost: lost.map(BigInt) }',
        'value: { sequence: heartbeat.sequence, lost: [] }',
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/rules/child-run.ts',
    tests: ['server/src/rooms/execution/dispatch/children.test.ts'],
    faults: [
      ['untrusted: run.untrusted,', 'untrusted: false,'],
      ['depth: run.depth + 1,', 'depth: run.depth,'],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/rules/credential-carrier.ts',
    tests: ['server/src/rooms/execution/dispatch/rules/credential-carrier.test.ts'],
    faults: [["if (protocol === 'http:' && !LOOPBACK.test(hostname)) {", 'if (false) {']],
  },
  {
    file: 'server/src/rooms/execution/dispatch/rules/greeting.ts',
    tests: ['server/src/rooms/execution/dispatch/rules/greeting.test.ts'],
    faults: [
      ["if (status === 'lost') return 'nothing'", ''],
      ["return hasBegun ? 'lost' : 'again'", "return 'again'"],
      ["if (inHand && isLeased) return 'goes_on'", "if (inHand) return 'goes_on'"],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/rules/read-item.ts',
    tests: ['server/src/rooms/execution/dispatch/rules/read-item.test.ts'],
    faults: [['if (item.ifExpired && !expired.has(attemptId)) return undefined', '']],
  },
  {
    file: 'server/src/rooms/execution/dispatch/rpc/read-result.ts',
    tests: ['server/src/rooms/execution/dispatch/rpc/read-result.test.ts'],
    faults: [
      [' && message.result === Result.LOST && startedAt === null', ' && message.result === Result.LOST'],
      [' && message.result === Result.LOST && startedAt === null', ' && startedAt === null'],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/rules/shared-workspace.ts',
    tests: ['server/src/rooms/execution/dispatch/rules/shared-workspace.test.ts'],
    faults: [
      ['if (hasBegun(place, task)) return place.runnerId', ''],
      ["return (lastStatus ?? place.lastStatus) === 'lost' ? null : place.runnerId", 'return place.runnerId'],
      ["return (lastStatus ?? place.lastStatus) === 'lost' ? null : place.runnerId", 'return null'],
      [
        'const requirement = { executor, labels, runner }',
        'const requirement = { executor, labels }',
        ['server/src/rooms/execution/dispatch/shared-workspaces.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/rules/slots.ts',
    tests: ['server/src/rooms/execution/dispatch/rules/slots.test.ts'],
    faults: [
      ['return tiers.map((tier) => tier.filter((id) => id !== handedBack.by))', 'return tiers'],
      ['|| now.getTime() - handedBack.at.getTime() >= HANDED_BACK_MS', ''],
    ],
  },
  {
    file: 'server/src/rooms/execution/dispatch/actions/read-status.ts',
    tests: ['server/src/rooms/execution/dispatch/routes.test.ts'],
    faults: [
      [".filter((runner) => caller.can('runner.read', runner.teamPath))", ''],
      ["const prefixes = caller.prefixes('runner.read')", "const prefixes = ['/']"],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/compare-runs.ts',
    tests: ['server/src/rooms/execution/dispatch/last-success.test.ts'],
    faults: [[".filter(({ teamPath }) => caller.can('runner.read', teamPath))", '']],
  },
  {
    file: 'server/src/rooms/execution/dispatch/actions/explain-run.ts',
    tests: ['server/src/rooms/execution/dispatch/explain-run.test.ts'],
    faults: [
      [".filter(({ teamPath }) => caller.can('runner.read', teamPath))", ''],
      ["caller.can('knowledge.read', teamPath) ? { id, reason } : undefined", '{ id, reason }'],
      ['if (found.verdicts.every(({ runnerId }) => sees(runnerId))) return', 'return'],
      ['return { reason: said, unmet: undefined, places: undefined }', 'return { reason: said, unmet, places }'],
    ],
  },
]
