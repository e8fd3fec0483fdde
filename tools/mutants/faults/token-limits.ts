import type { FaultyFile } from '../fault.ts'

export const tokenLimits: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/foundation/access/rules/token-limits.ts',
    tests: ['server/src/rooms/foundation/access/rules/token-limits.test.ts'],
    faults: [
      ["if (!isLimitable(permission)) return 'withheld'", ''],
      ["if (limits.isReadOnly && !permission.endsWith('.read')) return 'read_only'", ''],
      ["if (limits.permissions && !limits.permissions.includes(permission)) return 'permissions'", ''],
      ["if (limits.families && !limits.families.includes(familyOf(permission))) return 'families'", ''],
      ['mayUse: (scope) => leavesScope(limits, scope) && subject.mayUse(scope),', 'mayUse: subject.mayUse,'],
      ['if (refusingKind(limits, permission)) return []', ''],
      ['byPath: narrowPaths(subject.byPath, limits),', 'byPath: subject.byPath,'],
    ],
  },
  {
    file: 'server/src/platform/http/token-limits.ts',
    tests: ['server/src/platform/http/token-limits.test.ts', 'server/src/limited-tokens.test.ts'],
    faults: [
      ["if (use === 'no') {", "if (use === 'no' && route.method === 'POST') {"],
      ["if (use === 'act' && token.limits.isReadOnly) throw", "if (use === 'act' && false) throw"],
      ["if (use === 'act' && answersSecret(route)) {", "if (use === 'act' && false) {"],
      ["route.limitedTokens ?? 'no'", "route.limitedTokens ?? 'act'"],
    ],
  },
  {
    file: 'server/src/rooms/causes/triggers/actions/write-trigger.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [
      ['return caller.token?.limits && { field,', 'return undefined && { field,'],
      ['if (isStop(change)) {', 'if (false) {'],
      ['definition.enabled === false && given.length === 1', 'definition.enabled === false'],
    ],
  },
  {
    file: 'server/src/rooms/causes/schedules/actions/vouch-checkout.ts',
    tests: ['server/src/limited-tokens.test.ts', 'server/src/rooms/causes/schedules/run-schedule.test.ts'],
    faults: [
      ["if ('problem' in found) throw invalid", "if (false && 'problem' in found) throw invalid"],
      ['if (!caller.token?.limits || wanted.repository === null) return\n', 'return\n'],
    ],
  },
  {
    file: 'server/src/rooms/front/mcp/actions/look-at-tools.ts',
    tests: ['server/src/limited-tokens.test.ts', 'server/src/rooms/front/mcp/mcp.test.ts'],
    faults: [
      ["asker.can('team.read', path)", 'path.length > 0'],
      ['seer !== caller && !caller.token?.limits', 'seer !== caller'],
    ],
  },
  {
    file: 'server/src/rooms/front/mcp/actions/explain-hidden.ts',
    tests: ['server/src/rooms/front/mcp/actions/explain-hidden.test.ts'],
    faults: [
      ["  if (!families.has(tool.family)) return 'family_off'\n", ''],
      ["if (limits?.families?.includes(tool.family) === false) return 'token_families'", ''],
      ["if (limits?.isReadOnly === true && tool.does !== 'read') return 'token_reads_only'", ''],
      ["if (!isForKind(tool, caller)) return 'other_kind'", ''],
      ["return isUsable(tool, caller) ? undefined : 'no_permission'", 'return undefined'],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/judge-repetition.ts',
    tests: ['server/src/limited-tokens.test.ts', 'server/src/rooms/execution/runs/actions/judge-repetition.test.ts'],
    faults: [
      ['if (!pipeline.checksOut) return NO_FILES', 'if (!pipeline.checksOut) return own'],
      ["if (pipeline.references.some(({ kind }) => kind === 'pipeline')) return false", ''],
      ["if ('problem' in found) throw wrong(found.field, found.problem)", "if ('problem' in found) return own"],
      [
        "if (wish.mode !== undefined && wish.mode !== 'whole')",
        "if (wish.mode === 'failed' && run.repository === null)",
      ],
      ['if (Object.keys(run.sealed_variables).length > 0)', 'if (Object.keys(run.sealed_variables).length > 1)'],
      [' && Object.keys(wish.variables ?? {}).length === 0', ''],
    ],
  },
  {
    file: 'server/src/platform/http/admit.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [['  requireWithinLimits(route, caller)\n', '']],
  },
  {
    file: 'server/src/platform/http/route-calls.ts',
    tests: ['server/src/rooms/foundation/access/tools.test.ts'],
    faults: [['    requireWithinLimits(route, origin.caller)\n', '']],
  },
  {
    file: 'server/src/platform/http/caller.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [['if (caller.token !== undefined) this.token = caller.token', '']],
  },
  {
    file: 'server/src/platform/http/idempotency.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [['token?.limits ? `${kind}:${id}:token:${token.id}` : `${kind}:${id}`', '`${kind}:${id}`']],
  },
  {
    file: 'server/src/rooms/foundation/access/rules/snapshot.ts',
    tests: ['server/src/rooms/foundation/access/rules/token-limits.test.ts'],
    faults: [['if (!target || !leavesScope(user.token?.limits, scope)) return false', 'if (!target) return false']],
  },
  {
    file: 'server/src/rooms/foundation/access/store/tokens.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [['token_sha256: limits ? digestWithLimits(digest) : digest,', 'token_sha256: digest,']],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/find-managed-token.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [['isSelf && (!caller.token?.limits || caller.token.id === row.id)', 'isSelf']],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/write-token.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [
      ['  requireLimitable(input.limits)\n', ''],
      ['tokenId: caller.token?.limits && caller.token.id,', 'tokenId: undefined,'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/write-user.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [[' && !caller.token?.limits', '']],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/explain-own-access.ts',
    tests: ['server/src/rooms/foundation/access/explain-access.test.ts', 'server/src/limited-tokens.test.ts'],
    faults: [
      ['return sees ? remedies : remedies.map((remedy) => ({ ...remedy, givers: [] }))', 'return remedies'],
      ["...(limit === 'team_path' ? [] : explainOwner(explained, holds)),", '...explainOwner(explained, holds),'],
    ],
  },
  {
    file: 'server/src/rooms/causes/triggers/actions/write-trigger.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [['if (caller.token?.limits) await requireStartNow(means, db, caller, trigger)', '']],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/find-faults.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [['if (caller.token?.limits) return forbidden(', 'if (false) return forbidden(']],
  },
  {
    file: 'server/src/rooms/catalog/pipelines/actions/find-references.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [['if (writer.token?.limits) {', 'if (false) {']],
  },
  {
    file: 'server/src/rooms/execution/approvals/actions/decide-request.ts',
    tests: ['server/src/rooms/execution/approvals/approvals.test.ts'],
    faults: [
      ["if (!means.access.isWithinLimits(origin.caller, 'run.approve', request.teamPath)) throw limited(request)", ''],
    ],
  },
]
