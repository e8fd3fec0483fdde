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
    file: 'server/src/rooms/catalog/pipelines/actions/find-pipeline.ts',
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
  {
    file: 'server/src/rooms/catalog/pipelines/actions/find-references.ts',
    tests: ['server/src/rooms/catalog/pipelines/pipelines.test.ts'],
    faults: [
      ["if (exists && writer.can('run.start', owner)) return undefined", 'if (exists) return undefined'],
      ["const isVisible = writer.can('pipeline.read', owner)", 'const isVisible = true'],
      ["hidden: isSeen || !writer.can('environment.read', ownerOf(target))", 'hidden: isSeen'],
      ["if (verdict === 'usable') return undefined", "if (verdict !== 'unknown') return undefined"],
      ["if (!writer.can('secret.read', teamPath)) {", 'if (false) {'],
      [
        "if (meant.some((subject) => subject.can('run.read', teamPath))) return undefined",
        'if (meant.length > 0) return undefined',
      ],
    ],
  },
]
