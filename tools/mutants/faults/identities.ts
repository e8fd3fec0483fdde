import type { FaultyFile } from '../fault.ts'

const ROOM = 'server/src/rooms/foundation/identities'
const SIGN_IN = `${ROOM}/sign-in.test.ts`
const LINKING = `${ROOM}/linking.test.ts`

/** Signing in by providers of OpenID Connect, and the accounts that are linked to users. */
export const identities: readonly FaultyFile[] = [
  {
    file: `${ROOM}/actions/take-transaction.ts`,
    tests: [SIGN_IN],
    faults: [
      [' || transaction.provider !== browser.provider', ''],
      ["if (!constantTimeEqual(transaction.state, browser.state ?? '')) return undefined", ''],
      ['if (transaction.expiresAt <= now.getTime()) return undefined', ''],
      ['return isFirst ? transaction : undefined', 'return transaction'],
    ],
  },
  {
    file: `${ROOM}/actions/admit-account.ts`,
    tests: [SIGN_IN],
    faults: [
      ["if (!meetsRequired(provider.requiredClaims, account.claims)) return 'account_refused'", ''],
      ['if (known || !provider.createUsers) return known', 'if (known) return known'],
      ['(await store.findByAccount(tx, account)) ?? make(', 'make('],
      ['  await followGroups(means, origin, { ...proved, userId: identity.userId })\n', ''],
    ],
  },
  {
    file: `${ROOM}/actions/link-account.ts`,
    tests: [LINKING],
    faults: [
      [
        "if (caller?.sessionId !== link.sessionId || caller.id !== link.userId) return 'expired'",
        "if (!caller) return 'expired'",
      ],
      ["known.userId === userId ? undefined : 'account_taken'", 'undefined'],
    ],
  },
  {
    file: `${ROOM}/actions/write-identity.ts`,
    tests: [LINKING],
    faults: [
      ["  requirePermission(origin.caller, 'user.write', '/')\n", ''],
      ['    await means.sessions.endSessions(tx, userId, origin.caller.sessionId)\n', ''],
      ["if (!isSelf(caller, userId)) requirePermission(caller, 'user.write', '/')", ''],
      ['    if (isSelf(origin.caller, userId)) await requireWayIn(means, tx, userId, identity)\n', ''],
      ['if (passwordSignIn && ', 'if ('],
      ['if (others.some(({ issuer }) => issuers.has(issuer))) return', 'if (others.length > 0) return'],
    ],
  },
  {
    file: `${ROOM}/rules/wanted-place.ts`,
    tests: [`${ROOM}/rules/wanted-place.test.ts`],
    faults: [['PLACE.test(asked) ? asked : HOME', 'true ? asked : HOME']],
  },
  {
    file: 'server/src/adapters/openid/kept-discovery.ts',
    tests: ['server/src/adapters/openid/open-id-provider.test.ts'],
    faults: [
      ['execute: [enableNonRepudiationChecks, ', 'execute: ['],
      [
        "if (named !== issuer) throw new DiscoveryWrong('its description names another issuer: compare the spelling')",
        '',
      ],
      ['if (!isSafe) throw', 'if (false) throw'],
    ],
  },
  {
    file: 'server/src/adapters/openid/open-id-provider.ts',
    tests: ['server/src/adapters/openid/open-id-provider.test.ts'],
    faults: [
      ['          expectedState: state,\n', ''],
      ['          expectedNonce: nonce,\n', ''],
      ['          pkceCodeVerifier: verifier,\n', ''],
    ],
  },
]
