import type { FaultyFile } from '../fault.ts'

export const pipelines: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/catalog/pipelines/actions/delete-pipeline.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'pipeline.write', seen.teamPath)", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/pipelines/actions/list-pipelines.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["prefixes: caller.prefixes('pipeline.read'),", "prefixes: ['/'],"]],
  },
  {
    file: 'server/src/rooms/catalog/pipelines/actions/save-pipeline.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'pipeline.write', teamPath)", 'void 0'],
      ["requirePermission(origin.caller, 'pipeline.write', seen.teamPath)", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/pipelines/store/pipelines.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [['.forUpdate()', '']],
  },
]
