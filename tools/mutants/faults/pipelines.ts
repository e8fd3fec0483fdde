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
    file: 'server/src/rooms/catalog/pipelines/actions/find-places.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [
      ['level.get(pipeline) === true && caller.can(permission, teamPath)', 'true'],
      ["level.get(child) === true && caller.can('pipeline.read', teamPath)", 'true'],
      ['places.push({ team: teamPath, isSeen })', ''],
      ['next.set(parent, isSeen || next.get(parent) === true)', 'void parent'],
      [
        'if (parents === undefined || rules.length >= MOST_ROWS) return undefined',
        'if (parents === undefined) return undefined',
        ['server/src/rooms/catalog/pipelines/actions/find-places.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/rooms/catalog/pipelines/store/children.ts',
    tests: ['server/src/rooms/catalog/pipelines/actions/find-places.test.ts'],
    faults: [
      ['  if (await hasStaleParent(db, children)) return undefined\n', ''],
      ['return rows.length < most ? rows.map(toCamel) : undefined', 'return rows.map(toCamel)'],
    ],
  },
  {
    file: 'server/src/rooms/catalog/pipelines/actions/foresee-save.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [['needsPerson: isProtected ? HIDDEN : undefined,', 'needsPerson: undefined,']],
  },
  {
    file: 'server/src/house.ts',
    tests: ['server/src/limited-tokens.test.ts'],
    faults: [
      [
        'const causes = [overrides, triggers, schedules, externalTriggers]',
        'const causes = [triggers, schedules, externalTriggers]',
      ],
      [
        'const causes = [overrides, triggers, schedules, externalTriggers]',
        'const causes = [overrides, triggers, schedules]',
      ],
    ],
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
