import type { FaultyFile } from '../fault.ts'

export const tools: readonly FaultyFile[] = [
  {
    file: 'server/src/platform/tools/words.ts',
    tests: ['server/src/platform/tools/words.test.ts'],
    faults: [
      ['return isUuid\n', 'return () => true\n'],
      ['return isInstant\n', 'return () => true\n'],
      ['checks.every((check) => check(text))', 'checks.some((check) => check(text))'],
      ['checks.length === 0 ? () => false : ', ''],
      ['this.#shaped.length > 0 && this.#shaped.every(', 'this.#shaped.every('],
      ['this.#shaped.every((schema) => schema[OWN_WORDS] === true)', 'true'],
      ['if (words.isOurs) return words[readWords]()', 'return words[readWords]()'],
    ],
  },
  {
    file: 'server/src/platform/tools/visible.ts',
    tests: ['server/src/platform/tools/visible.test.ts'],
    faults: [
      ['\\p{Default_Ignorable_Code_Point}', ''],
      ["'untrusted|system|", "'system|"],
      ['|[\\\\]#]`', '`'],
      ['[${letter}${wide}]', '[${letter}]'],
      ['if (shown.length <= limit || kept === 0) return shown', 'return shown'],
    ],
  },
  {
    file: 'server/src/platform/tools/render.ts',
    tests: ['server/src/platform/tools/render.test.ts'],
    faults: [
      ['words.isOurs ? makeVisible(text) : defuseWithin(text, limit)', 'makeVisible(text)'],
      ['value.isOurs ? show(value) : refer(show(value))', 'show(value)'],
      ['detail: new Words(message, false)', 'detail: new Words(message, true)'],
      ['leftOut: kept.reduce((sum, one) => sum + one.leftOut, to - from)', 'leftOut: to - from'],
    ],
  },
  {
    file: 'server/src/platform/tools/fit.ts',
    tests: ['server/src/platform/tools/render.test.ts'],
    faults: [['  if (lengthWithin(limitsFor(fitting)) > budget) return undefined\n', '']],
  },
  {
    file: 'server/src/platform/http/route-calls.ts',
    tests: ['server/src/platform/http/route-calls.test.ts'],
    faults: [
      ["    if (route.class === 'authorized') await requireSetUp(route, origin.caller, authenticator)\n", ''],
      ["if (route.class === 'authorized' && !caller.asked)", 'if (false)'],
      ["    requireValid(check.params, 'params', params)\n", ''],
      ["if (text.isWellFormed() && !text.includes('\\0')) return text", 'return text'],
      ["    if (Object.values(route.responses).includes('stream')) throw streams(name)\n", ''],
    ],
  },
  {
    file: 'server/src/platform/tools/tool.ts',
    tests: ['server/src/tool-grants.test.ts'],
    faults: [
      ['return [...ofRoutes, ...(tool.needs ?? [])]', 'return ofRoutes'],
      ['[permissionsOf(tool), ...(tool.needsElsewhere ?? [])].every', '[...(tool.needsElsewhere ?? [])].every'],
      [', ...(tool.needsElsewhere ?? [])].every', '].every'],
    ],
  },
  {
    file: 'server/src/platform/mcp/shared-server.ts',
    tests: ['server/src/platform/mcp/endpoint.test.ts'],
    faults: [
      ['const known = waiting.get(mcpReq.id)', 'const [known] = waiting.values()'],
      ["method: 'notifications/cancelled', params: { requestId: id }", "method: 'notifications/cancelled', params: {}"],
    ],
  },
  {
    file: 'server/src/platform/mcp/endpoint.ts',
    tests: ['server/src/platform/mcp/endpoint.test.ts'],
    faults: [["return reason === 'no-claim' && isKnown", "return reason === 'no-claim'"]],
  },
  {
    file: 'server/src/rooms/front/mcp/lists/tool-lists.ts',
    tests: ['server/src/rooms/front/mcp/lists/tool-lists.test.ts'],
    faults: [
      ['const { rights } = caller', 'const rights = describe'],
      ['rights === undefined || narrowing.families !== undefined', 'rights === undefined'],
      ['narrowing.isReadOnly ? kept.reads : kept.all\n      const known', 'kept.all\n      const known'],
    ],
  },
  {
    file: 'server/src/rooms/front/mcp/lists/tool-lists.ts',
    tests: ['server/src/tool-grants.test.ts'],
    faults: [
      [
        'new Map(offered.map((tool) => [tool.name, tool]))',
        "new Map(offer({ ...caller, can: () => true, prefixes: () => ['/'] }, narrowing).map((tool) => [tool.name, tool]))",
      ],
    ],
  },
  {
    file: 'server/src/rooms/execution/runs/tools.ts',
    tests: ['server/src/tool-grants.test.ts'],
    faults: [['query: { limit: 10, ...filters, teamId }', 'query: { limit: 10, ...filters }']],
  },
]
