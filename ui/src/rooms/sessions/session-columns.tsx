import { Group } from '@mantine/core'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { type Column, ForeignText, Instant, StatusBadge } from '../../components/index.ts'

export type Session = SuccessOf<typeof sessionRoutes.listSessions>[number]

/** What a list tells of each session. */
export const SESSION_COLUMNS: readonly Column<Session>[] = [
  {
    key: 'device',
    header: 'Browser',
    isPlain: true,
    cell: ({ device, user_agent, current }) => (
      <Group gap="xs">
        <span title={user_agent}>{device}</span>
        {current && <StatusBadge status="this_session" />}
      </Group>
    ),
  },
  { key: 'address', header: 'Address', cell: ({ address }) => <ForeignText>{address}</ForeignText> },
  { key: 'method', header: 'By', cell: ({ provider }) => provider ?? 'password' },
  { key: 'created', header: 'Signed in', cell: ({ created_at }) => <Instant at={created_at} /> },
  { key: 'used', header: 'Last used', cell: ({ last_used_at }) => <Instant at={last_used_at} /> },
  { key: 'expires', header: 'Ends', cell: ({ expires_at }) => <Instant at={expires_at} /> },
]
