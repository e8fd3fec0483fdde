import type { FaultyFile } from '../fault.ts'

export const access: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/foundation/sessions/authentication/session-authenticator.ts',
    tests: [
      'server/src/rooms/foundation/sessions/sessions.test.ts',
      'server/src/rooms/foundation/sessions/sign-in.test.ts',
    ],
    faults: [
      ['return session.expiresAt <= now || idleEnd', 'return idleEnd'],
      ['if (hit && hit.revision === revision && !isOver(hit)) return hit', 'if (hit && !isOver(hit)) return hit'],
      ['if (!isSecret(secret)) return undefined', ''],
      ['if (entry.writtenAt > staleBefore) return', ''],
    ],
  },
  {
    file: 'server/src/rooms/foundation/sessions/actions/open-session.ts',
    tests: ['server/src/rooms/foundation/sessions/sign-in.test.ts'],
    faults: [
      ['  await endReplaced(means, tx, client)\n', ''],
      ['for (const id of await store.listBeyond(tx, userId, MOST_OF_USER)) await store.revokeSession(tx, id, at)', ''],
    ],
  },
  {
    file: 'server/src/rooms/foundation/sessions/actions/end-sessions.ts',
    tests: ['server/src/rooms/foundation/sessions/sessions.test.ts'],
    faults: [['if (!session || !(mayAll || isOwn)) throw noSuchSession()', 'if (!session) throw noSuchSession()']],
  },
  {
    file: 'server/src/rooms/foundation/access/authentication/token-authenticator.ts',
    tests: [
      'server/src/rooms/foundation/access/authentication/token-authenticator.test.ts',
      'server/src/rooms/foundation/access/routes/access-routes.test.ts',
    ],
    faults: [
      ['if (expiresAt && expiresAt <= kit.clock.now()) return undefined', ''],
      ['if (hit && hit.revision === snapshot.revision) return hit', 'if (hit) return hit'],
      ['return (await findCaller(credentials)) ?? refuse(address)', 'return await findCaller(credentials)'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/change-access.ts',
    tests: ['server/src/rooms/foundation/access/routes/access-routes.test.ts'],
    faults: [
      ['if (bootstrapRevoked && before > 0 && (await store.countAdministrators(tx)) === 0) {', 'if (false) {'],
      [', { afterCommit: () => means.keeper.invalidate() }', ''],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/create-administrator.ts',
    tests: ['server/src/rooms/front/setup/setup.test.ts'],
    faults: [
      ['await means.audit.record(tx, {', 'void (tx, {'],
      ['if ((await countAdministrators(tx)) > 0) {', 'if (false) {'],
      ['await lockRevision(tx)', '', ['server/src/rooms/foundation/access/actions/last-administrators.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/revoke-bootstrap.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(caller, 'user.write', '/')", 'void 0'],
      ["requirePermission(origin.caller, 'user.write', '/')", 'void 0'],
      ['await means.audit.record(tx, {', 'void (tx, {'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/write-grant.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ['requireGiver(origin.caller, input)', ''],
      ["await means.audit.record(tx, { origin, ...about(row), action: 'grant.created', after: shown(row) })", ''],
      ['requireGiver(origin.caller, grant)', ''],
      ["await means.audit.record(tx, { origin, ...about(grant), action: 'grant.deleted', before: shown(grant) })", ''],
      [
        "return requireVisible(caller, 'grant.read', grant, () =>",
        "if (grant) return grant\n  return requireVisible(caller, 'grant.read', grant, () =>",
      ],
      ["prefixes: caller.prefixes('grant.read'),", "prefixes: ['/'],"],
      ["requirePermission(caller, 'grant.write', held.teamPath)", 'void 0'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/write-group.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["requirePermission(origin.caller, 'user.write', '/')", 'void 0'],
      ["await means.audit.record(tx, { origin, ...about(group), action: 'group.created', after: { name } })", ''],
      ["requirePermission(caller, 'user.write', '/')", 'void 0'],
      [
        "await means.audit.record(tx, { origin, ...about(group), action: 'group.deleted', before: { name: group.name } })",
        '',
      ],
      ["await means.audit.record(tx, { origin, ...about(group), action: 'group.member_added', after })", 'void after'],
      [
        "await means.audit.record(tx, { origin, ...about(group), action: 'group.member_removed', before })",
        'void before',
      ],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/write-service-account.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        "    caller.can('service_account.read', account?.teamPath ?? '/') ||\n",
        "    caller.can('service_account.read', account?.teamPath ?? '/') || true ||\n",
      ],
      ["requirePermission(origin.caller, 'service_account.write', input.teamPath)", 'void 0'],
      [
        "await means.audit.record(tx, { origin, ...about(row), action: 'service_account.created', after: shown(row) })",
        '',
      ],
      ["requirePermission(origin.caller, 'service_account.write', seen.teamPath)", 'void 0'],
      [
        "await means.audit.record(tx, { origin, ...about(row), action: 'service_account.updated', ...states })",
        'void states',
      ],
      ["requirePermission(origin.caller, 'service_account.write', before.teamPath)", 'void 0'],
      [
        "await means.audit.record(tx, { origin, ...about(before), action: 'service_account.deleted', before: shown(before) })",
        '',
      ],
      ["const prefixes = caller.prefixes('service_account.read')", "const prefixes = ['/']"],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/find-managed-token.ts',
    tests: ['server/src/routes.test.ts', 'server/src/rooms/foundation/access/routes/access-routes.test.ts'],
    faults: [
      [
        "const mayOfAccount = account !== undefined && caller.can('token.write', account.teamPath)",
        'const mayOfAccount = account !== undefined',
      ],
      ["  const mayAll = caller.can('user.write', '/')", "  const mayAll = caller.can('user.write', '/') || true"],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/write-token.ts',
    tests: ['server/src/routes.test.ts', 'server/src/rooms/foundation/access/routes/access-routes.test.ts'],
    faults: [
      [
        "if (!account || !caller.can('service_account.read', account.teamPath)) {",
        'if (!account) {',
        ['server/src/rooms/foundation/access/routes/access-routes.test.ts'],
      ],
      ["everyone: caller.can('user.write', '/') && query.own !== true,", 'everyone: query.own !== true,'],
      ["everyone: caller.can('user.write', '/') && query.own !== true,", "everyone: caller.can('user.write', '/'),"],
      [
        "await means.audit.record(tx, { origin, action: 'token.created', resource, teamPath, after: shown(row) })",
        "void (tx, { origin, action: 'token.created', resource, teamPath, after: shown(row) })",
      ],
      [
        "await means.audit.record(tx, { origin, action: 'token.revoked', resource, teamPath, before: shown(row) })",
        "void (tx, { origin, action: 'token.revoked', resource, teamPath, before: shown(row) })",
      ],
      ["prefixes: query.own === true ? [] : caller.prefixes('token.write'),", "prefixes: ['/'],"],
      ["requirePermission(caller, 'token.write', account.teamPath)", 'void 0'],
      ["requirePermission(caller, 'user.write', '/')", 'void 0'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/write-user.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      ["  const mayAll = caller.can('user.write', '/')", "  const mayAll = caller.can('user.write', '/') || true"],
      [
        "requirePermission(origin.caller, 'user.write', '/')\n  const row = await makeUser(means, input)",
        '\n  const row = await makeUser(means, input)',
      ],
      ["await means.audit.record(tx, { origin, ...about(row), action: 'user.created', after: shown(row) })", ''],
      ["if (!mayAll && (!isSelf || change.disabled !== undefined)) requirePermission(caller, 'user.write', '/')", ''],
      ["await means.audit.record(tx, { origin, ...about(row), action: 'user.updated', ...states })", 'void states'],
      [
        "requirePermission(origin.caller, 'user.write', '/')\n  await takeAccess(means, async (tx) => {",
        '\n  await takeAccess(means, async (tx) => {',
      ],
      ["await means.audit.record(tx, { origin, ...about(seen), action: 'user.deleted', before: shown(seen) })", ''],
      ['laterThan(before.updatedAt, now)', 'now', ['server/src/etags.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/rules/holdings.ts',
    tests: ['server/src/rooms/foundation/access/rules/holdings.test.ts'],
    faults: [
      ['return ROLES[role].every((permission) => giver.can(permission, teamPath))', 'return true'],
      ["return [...paths, '/']", 'return paths'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/rules/snapshot.ts',
    tests: ['server/src/rooms/foundation/access/rules/snapshot.test.ts'],
    faults: [
      ["if (!target.protected) return user.can('scope.use', target.teamPath)", 'if (!target.protected) return true'],
      ['    if (!target || !leavesScope(user.token?.limits, scope)) return false\n', ''],
      ['return { ...owner, ...rights, token, rights }', 'return { ...owner, ...rights, token }'],
      [
        "return scopes.has(scope) && user.can('environment.read', teamPath) ? 'forbidden' : 'unknown'",
        "return scopes.has(scope) ? 'forbidden' : 'unknown'",
      ],
      [
        "return id === BOOTSTRAP_ID && !data.bootstrapRevoked ? 'bootstrap token' : undefined",
        "return 'bootstrap token'",
      ],
      [
        'const refs = [`${user.kind}:${user.id}`]\n',
        "const refs = [`${user.kind}:${user.id}`, target.allowedSubjects[0] ?? '']\n",
      ],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/store/snapshot.ts',
    tests: [
      'server/src/rooms/foundation/access/authentication/snapshot-keeper.test.ts',
      'server/src/rooms/foundation/access/routes/access-routes.test.ts',
    ],
    faults: [
      [
        "await sql`select pg_notify('access_changed', '')`.execute(db)",
        "await sql`select concat('access_changed', '')`.execute(db)",
        ['server/src/notifications.test.ts'],
      ],
      ['.forUpdate()', '', ['server/src/row-locks.test.ts']],
      [
        "db.selectFrom('users').select(['id', 'login']).where('disabled_at', 'is', null).execute()",
        "db.selectFrom('users').select(['id', 'login']).execute()",
      ],
      [
        "select(['id', 'team_path', 'name']).where('disabled_at', 'is', null).execute()",
        "select(['id', 'team_path', 'name']).execute()",
      ],
      [
        "eb.and([eb('users.id', 'is not', null), eb('users.disabled_at', 'is', null)])",
        "eb('users.id', 'is not', null)",
      ],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/store/users.ts',
    tests: ['server/src/row-locks.test.ts'],
    faults: [
      [
        "findOne(tx.selectFrom('users').select(COLUMNS).where('id', '=', id).forUpdate())",
        "findOne(tx.selectFrom('users').select(COLUMNS).where('id', '=', id))",
      ],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/read-users.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [["return caller.prefixes('user.read').length > 0", "return caller.prefixes('user.read').length >= 0"]],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/list-team-members.ts',
    tests: ['server/src/rooms/foundation/access/list-members.test.ts'],
    faults: [
      ["requirePermission(caller, 'grant.read', path)", ''],
      ["readable: paths.filter((each) => caller.can('grant.read', each)),", 'readable: paths,'],
      ['seesUsers: maySeeUsers(caller),', 'seesUsers: true,'],
      ['if (!isLast || !isOfAll || ', 'if (!isLast || '],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/store/members.ts',
    tests: ['server/src/rooms/foundation/access/list-members.test.ts'],
    faults: [
      ['sql`role = ${role} and is_shown`', 'sql`role = ${role}`'],
      ["(is_shown or origin = 'inherited')", '(true)'],
      ["is_readable and (${seesUsers} or 'user:' || member.user_id = ${self})", 'is_readable'],
    ],
  },
]
