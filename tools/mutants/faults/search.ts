import type { FaultyFile } from '../fault.ts'

const FOUND = ['server/src/find.test.ts']

export const search: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/front/search/actions/find-anything.ts',
    tests: FOUND,
    faults: [["kind === 'secret' ? [] : [", 'false ? [] : [']],
  },
  {
    file: 'server/src/rooms/execution/runs/actions/find-runs.ts',
    tests: FOUND,
    faults: [["const prefixes = caller.prefixes('run.read')", "const prefixes = ['/']"]],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/find-by-clue.ts',
    tests: FOUND,
    faults: [
      ["caller.can('webhook_source.read', source.teamPath) && caller.can('delivery.read', source.teamPath)", 'true'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/knowledge/actions/find-by-clue.ts',
    tests: FOUND,
    faults: [["!canFromBelow(caller, 'knowledge.read', emergency.teamPath)", 'false']],
  },
]
