import type { FaultyFile } from '../fault.ts'

export const sources: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/causes/sources/rules/match-context.ts',
    tests: ['server/src/rooms/causes/sources/rules/match-context.test.ts'],
    faults: [
      ["visibleTo: (owner) => shared || may(owner, 'webhook_source.read', teamPath),", 'visibleTo: () => true,'],
      [
        "path === teamPath || path.startsWith(`${teamPath}/`) || (shared && may(source.owner, 'run.start', path)),",
        'true,',
      ],
      ["overriddenBy: (owner) => may(owner, 'webhook_source.write', teamPath),", 'overriddenBy: () => true,'],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/find-source.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "return requireVisible(caller, 'webhook_source.read', source, sourceNotFound)",
        "if (source) return source\n  return requireVisible(caller, 'webhook_source.read', source, sourceNotFound)",
      ],
      ["prefixes: caller.prefixes('webhook_source.read'),", "prefixes: ['/'],"],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/know-names.ts',
    tests: ['server/src/rooms/causes/sources/renames.test.ts'],
    faults: [['const others = otherNames.others.filter((name) => allows(name))', 'const { others } = otherNames']],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/list-former-names.ts',
    tests: ['server/src/rooms/causes/sources/renames.test.ts'],
    faults: [
      [".filter(({ teamPath }) => caller.can('override.read', teamPath))", ''],
      [".filter(({ teamPath }) => caller.can('trigger.read', teamPath))", ''],
      ['.filter((trigger) => trigger.sourceId === null || trigger.sourceId === sourceId)', ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/rules/repository-names.ts',
    tests: ['server/src/rooms/causes/sources/rules/repository-names.test.ts'],
    faults: [
      ['if (row.contested) return', ''],
      ['if (held.contested) return false', ''],
      ['if (before && before.revision >= row.revision) return', ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/store/repository-names.ts',
    tests: ['server/src/rooms/causes/sources/renames.test.ts'],
    faults: [
      [
        'contested = excluded.contested or held.repository_id <> excluded.repository_id',
        'contested = excluded.contested',
      ],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/list-branches.ts',
    tests: ['server/src/rooms/causes/sources/branches.test.ts'],
    faults: [["const visible = caller.can('webhook_source.read', source.teamPath)", 'const visible = true']],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/find-told-changes.ts',
    tests: ['server/src/rooms/causes/sources/explain-push.test.ts'],
    faults: [
      ["caller.can('webhook_source.read', teamPath) && caller.can('delivery.read', teamPath),", 'true,'],
      [
        'if (sourceId === undefined || !readable.some(({ source }) => source.id === sourceId)) return undefined',
        'if (sourceId === undefined) return undefined',
      ],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/explain-push.ts',
    tests: ['server/src/rooms/causes/sources/explain-push.test.ts'],
    faults: [
      ['const { events } = await explainTrace(means, raw, caller)', 'const { events } = raw'],
      ["run && caller.can('run.read', run.teamPath)", 'run'],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/read-deliveries.ts',
    tests: ['server/src/rooms/causes/sources/deliveries.test.ts'],
    faults: [["requirePermission(caller, 'delivery.read', source.teamPath)", 'void 0']],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/receive-delivery.ts',
    tests: [
      'server/src/rooms/causes/sources/ingress.test.ts',
      'server/src/rooms/causes/sources/ingress-limits.test.ts',
      'server/src/rooms/causes/sources/hostile-payloads.test.ts',
    ],
    faults: [
      ['if (!rate.ok) return', 'if (false) return'],
      ['if (!source.enabled) {', 'if (false) {'],
      ['read.ticket.giveBack()', 'void read.ticket'],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/ingress/committer.ts',
    tests: ['server/src/rooms/causes/sources/ingress/committer.test.ts'],
    faults: [
      ['const release = ticket.retain()', 'const release = (): void => undefined'],
      ['for (const { release } of group) release()', ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/ingress/admissions.ts',
    tests: ['server/src/rooms/causes/sources/ingress/admissions.test.ts'],
    faults: [
      ['bytes < largeBytes ? bytes : bytes + LEFT_BY_LARGE', 'bytes'],
      ['if (released) return', ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/replay-delivery.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(caller, 'delivery.replay', teamPath)", 'void 0'],
      ['await means.audit.record(means.database.kysely, {', 'void (means.database.kysely, {'],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/serve-deliveries.ts',
    tests: ['server/src/rooms/causes/sources/deliveries.test.ts'],
    faults: [
      [" &&\n        caller.can('delivery.read', source.teamPath),", ''],
      ["caller.can('webhook_source.read', source.teamPath) &&", ''],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/serve-events.ts',
    tests: ['server/src/rooms/causes/events/requested-repository.test.ts'],
    faults: [["prefixes: caller.prefixes('webhook_source.read'),", "prefixes: ['/'],"]],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/write-source.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        ".filter(({ teamPath }) => caller.can('trigger.read', teamPath))",
        '',
        ['server/src/rooms/causes/sources/sources.test.ts'],
      ],
      ["requirePermission(origin.caller, 'webhook_source.write', wanted.teamPath)", 'void 0'],
      [
        "await means.audit.record(tx, {\n    origin,\n    action: 'webhook_source.created',",
        "void (tx, {\n    origin,\n    action: 'webhook_source.created',",
      ],
      [
        "requirePermission(origin.caller, 'webhook_source.write', before.teamPath)\n    checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))\n    const given",
        'checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))\n    const given',
      ],
      ["requirePermission(origin.caller, 'webhook_source.write', after.teamPath)", 'void 0'],
      [
        "await means.audit.record(tx, {\n      origin,\n      action: 'webhook_source.updated',",
        "void (tx, {\n      origin,\n      action: 'webhook_source.updated',",
      ],
      [
        "requirePermission(origin.caller, 'webhook_source.write', before.teamPath)\n    checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))\n    const lost",
        'checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))\n    const lost',
      ],
      [
        "await means.audit.record(tx, {\n      origin,\n      action: 'webhook_source.deleted',",
        "void (tx, {\n      origin,\n      action: 'webhook_source.deleted',",
      ],
      [
        "return requireVisible(caller, 'webhook_source.read', source, sourceNotFound)",
        "if (source) return source\n  return requireVisible(caller, 'webhook_source.read', source, sourceNotFound)",
        ['server/src/rooms/causes/sources/sources.test.ts'],
      ],
      ['laterThan(before.updatedAt, means.clock.now())', 'means.clock.now()', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/rules/visible-trace.ts',
    tests: [
      'server/src/rooms/causes/events/other-teams.test.ts',
      'server/src/rooms/causes/sources/rules/visible-trace.test.ts',
    ],
    faults: [
      ['    .filter((one) => maySeeRule(one, reader))\n', ''],
      ["one.outcome === 'refused' ? { ...one, reason: reader.tell(one.pipeline, one.reason) } : one", 'one'],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/store/commit.ts',
    tests: ['server/src/rooms/causes/sources/store/commit.test.ts'],
    faults: [
      [
        'where id = any ($4::uuid[]) and delivery_id is not null order by source_id, delivery_id',
        'where id = any ($4::uuid[]) and delivery_id is not null',
      ],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/store/complete.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [['.forUpdate()', '']],
  },
  {
    file: 'server/src/rooms/causes/sources/store/sources.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "const row = await db.selectFrom('webhook_sources').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()",
        "const row = await db.selectFrom('webhook_sources').selectAll().where('id', '=', id).executeTakeFirst()",
      ],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/rules/provider-address.ts',
    tests: ['server/src/rooms/causes/sources/rules/provider-address.test.ts'],
    faults: [
      ["return 'origin' in address && address.origin === origin", "return 'origin' in address"],
      [
        'return isReachable(origin, cloneUrl) ? source.checkoutCredentialRef : null',
        'return source.checkoutCredentialRef',
      ],
      ["return 'url' in read ? read.url : undefined", 'return address'],
      ['return source.readRepository && isReachable(origin, cloneUrl)', 'return source.readRepository'],
    ],
  },
  {
    file: 'server/src/platform/config/provider-address.ts',
    tests: ['server/src/rooms/causes/sources/rules/provider-address.test.ts'],
    faults: [
      ['  if (!isListed(url, hosts)) {', '  if (false) {'],
      [
        "if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.test(hostname))) {",
        "if (protocol !== 'https:' && protocol !== 'http:') {",
      ],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/check-connection.ts',
    tests: ['server/src/rooms/causes/triggers/triggers.test.ts'],
    faults: [["return isShared || caller.can('webhook_source.read', source.teamPath)", 'return true']],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/connect-repository.ts',
    tests: ['server/src/rooms/causes/sources/connections.test.ts'],
    faults: [
      ['await means.audit.record(tx, {', 'void (tx, {'],
      ["requirePermission(origin.caller, 'webhook_source.write', source.teamPath)", 'void 0'],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/disconnect-repository.ts',
    tests: ['server/src/rooms/causes/sources/connections.test.ts'],
    faults: [
      ['await means.audit.record(tx, {', 'void (tx, {'],
      ["requirePermission(origin.caller, 'webhook_source.write', source.teamPath)", 'void 0'],
    ],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/inspect-connection.ts',
    tests: ['server/src/rooms/causes/sources/connections.test.ts'],
    faults: [["requirePermission(caller, 'webhook_source.write', source.teamPath)", 'void 0']],
  },
  {
    file: 'server/src/rooms/causes/sources/store/connections.ts',
    tests: ['server/src/rooms/causes/sources/connections.test.ts'],
    faults: [['.forUpdate()', '']],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/explain-trace.ts',
    tests: ['server/src/rooms/causes/sources/explained-trace.test.ts'],
    faults: [
      ["=> caller.can('trigger.read', teamPath)", '=> true'],
      [
        "return source && caller.can('webhook_source.read', source.teamPath) ? source.name : undefined",
        'return source?.name',
      ],
    ],
  },
]
