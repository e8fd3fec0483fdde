import type { FaultyFile } from '../fault.ts'

export const platform: readonly FaultyFile[] = [
  {
    file: 'server/src/platform/crypto/sealer.ts',
    tests: ['server/src/platform/crypto/sealer.test.ts'],
    faults: [["  decipher.setAAD(Buffer.from(context, 'utf8'))\n", '']],
  },
  {
    file: 'server/src/platform/crypto/token.ts',
    tests: ['server/src/platform/crypto/token.test.ts'],
    faults: [
      ['return checkDigits(body) === token.slice(-CHECK_DIGITS) ? KINDS[letter] : undefined', 'return KINDS[letter]'],
    ],
  },
  {
    file: 'server/src/platform/http/permission.ts',
    tests: ['server/src/routes.test.ts'],
    faults: [
      [
        '  if (caller.can(permission, teamPath)) return\n',
        '  if (caller.can(permission, teamPath) || teamPath) return\n',
      ],
      ['if (!row || !maySee) throw absent()', 'if (!row) throw absent()'],
      ['if (!row || !maySeeFromBelow) throw absent()', 'if (!row) throw absent()'],
      [
        'if (caller.can(permission, teamPath)) return true',
        'if (caller.can(permission, teamPath) || teamPath) return true',
      ],
    ],
  },
  {
    file: 'server/src/platform/database/prefixes.ts',
    tests: ['server/src/platform/database/database.test.ts'],
    faults: [['if (above.size === 0) return within', 'return within']],
  },
  {
    file: 'server/src/platform/database/database.ts',
    tests: ['server/src/platform/database/database.test.ts'],
    faults: [['if (attempt >= ATTEMPTS || !isTransient(error)) throw error', 'throw error']],
  },
  {
    file: 'server/src/platform/database/errors.ts',
    tests: ['server/src/platform/database/database.test.ts'],
    faults: [
      ["(error.code === '40001' || error.code === '40P01')", "error.code === '40001'"],
      ["(error.code === '40001' || error.code === '40P01')", "error.code === '40P01'"],
    ],
  },
  {
    file: 'server/src/platform/database/fresh-copy.ts',
    tests: ['server/src/platform/database/fresh-copy.test.ts'],
    faults: [
      ['held.look > changed && clock', 'clock'],
      ['held.look > missed && isYoung', 'isYoung'],
      [' && notifications.hears(channel)', ''],
      ['return take((look) => look > before)', 'return take((look) => look > before || isCurrent(maxAgeMs))'],
    ],
  },
  {
    file: 'server/src/platform/database/lost-sessions.ts',
    tests: ['server/src/platform/database/lost-sessions.test.ts'],
    faults: [['if (gone && one.doubted) {', 'if (gone) {']],
  },
  {
    file: 'server/src/platform/facts/index.ts',
    tests: ['server/src/platform/facts/facts.test.ts'],
    faults: [['...(wanted.length > 0 ? [options.jobs.adding(JOB, wanted)] : [])', '']],
  },
  {
    file: 'server/src/platform/http/caller.ts',
    tests: ['server/src/platform/http/caller.test.ts'],
    faults: [
      [
        'permission === USED ? caller.mayUse(path) : isPermission(permission) && caller.can(permission, path),',
        'true,',
      ],
      [
        "if (prefix === '/' || prefix === teamPath || teamPath.startsWith(`${prefix}/`)) return [teamPath]",
        "if (prefix === '/' || prefix === teamPath || teamPath.startsWith(prefix)) return [teamPath]",
      ],
    ],
  },
  {
    file: 'server/src/platform/http/etag.ts',
    tests: ['server/src/etags.test.ts'],
    faults: [
      ['return now > before ? now : new Date(before.getTime() + 1)', 'return now'],
      [
        "if (wanted.includes('*') || wanted.includes(current)) return",
        'return',
        ['server/src/platform/http/paging.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/platform/http/idempotency.ts',
    tests: ['server/src/platform/http/idempotency.test.ts', 'server/src/platform/http/shown-once.test.ts'],
    faults: [
      ['if (!requestSha256.equals(kept.requestSha256)) {', 'if (false) {'],
      ['if (!holdsAll(write.caller, kept.held)) {', 'if (false) {'],
      ['await store.releaseKey(db, claim).catch(() => undefined)', ''],
    ],
  },
  {
    file: 'server/src/platform/http/paging.ts',
    tests: ['server/src/platform/http/paging.test.ts'],
    faults: [
      ['rows.length > limit ? ', 'rows.length >= limit ? '],
      ['rows.slice(0, limit)', 'rows.slice(0)'],
    ],
  },
  {
    file: 'server/src/platform/http/rate-limit.ts',
    tests: ['server/src/platform/http/rate-limit.test.ts'],
    faults: [
      ['if (verdict.ok) bucket.left -= amount', ''],
      ['if (buckets.size > maxKeys) {', 'if (false) {'],
    ],
  },
  {
    file: 'server/src/platform/http/server.ts',
    tests: ['server/src/platform/http/server.test.ts'],
    faults: [
      ["if (route.class === 'authorized' && !caller.asked) {", 'if (false) {'],
      [
        'const waited = route.waits && options.longAnswers.add({ ...rightOf(sending), end: (why) => incoming.end(why) })',
        'const waited = undefined',
        ['server/src/rooms/execution/dispatch/last-success.test.ts'],
      ],
      [
        'if (waited && incoming.signal.reason instanceof Problem) throw incoming.signal.reason',
        '',
        ['server/src/rooms/execution/dispatch/last-success.test.ts'],
      ],
    ],
  },
  {
    file: 'server/src/platform/http/admit.ts',
    tests: ['server/src/platform/http/server.test.ts', 'server/src/platform/http/browser-access.test.ts'],
    faults: [
      ['if (!caller) throw unauthenticated(credentials)', ''],
      ['await authenticator.requireFresh()', ''],
      ["if (!whileLocked && caller.kind !== 'bootstrap' && (await authenticator.isSetupLocked())) {", 'if (false) {'],
      ['if (route.ownPage && browsers) requireOwnPage(request.headers, browsers)', ''],
      ['if (browsers && !isSafe(request.method)) requireOwnPage(request.headers, browsers)', ''],
      ["if (reply.request.credentials?.kind === 'session') reply.header('cache-control', 'no-store')", ''],
    ],
  },
  {
    file: 'server/src/platform/http/browser-access.ts',
    tests: ['server/src/platform/http/browser-access.test.ts'],
    faults: [
      ["if (site === 'same-origin') return", 'if (site !== undefined) return'],
      ['if (site === undefined && typeof origin', 'if (typeof origin'],
      ['&& origins.includes(origin)) return', ') return'],
    ],
  },
  {
    file: 'server/src/platform/http/credentials.ts',
    tests: ['server/src/platform/http/browser-access.test.ts'],
    faults: [
      ['return values.length === 1 ? values[0] : undefined', 'return values[0]'],
      ["if (authorization !== undefined) return { kind: 'bearer', authorization }", ''],
    ],
  },
  {
    file: 'server/src/platform/database/migrate.ts',
    tests: ['server/src/platform/database/migrate.test.ts'],
    faults: [["await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])", '']],
  },
  {
    file: 'server/src/platform/jobs/store.ts',
    tests: ['server/src/platform/jobs/outages.test.ts'],
    faults: [
      ["  await client.query(`select pg_advisory_lock(hashtextextended('job worker ' || $1, 0))`, [holder])\n", ''],
    ],
  },
]
