import type { FaultyFile } from '../fault.ts'

export const pipelines: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/catalog/pipelines/actions/delete-pipeline.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["if (!origin.caller.can('pipeline.write', seen.teamPath)) {", 'if (false) {'],
      ['await needs.audit.record(tx, {', 'void (tx, {'],
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
      ["if (!origin.caller.can('pipeline.write', teamPath)) {", 'if (false) {'],
      ["if (!origin.caller.can('pipeline.write', seen.teamPath)) {", 'if (false) {'],
      ['await needs.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/pipelines/store/pipelines.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [['.forUpdate()', '']],
  },
]
