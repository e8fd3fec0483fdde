import { Text } from '@mantine/core'
import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../client/index.ts'
import { DataList, PageLink, Section } from '../../components/index.ts'
import { teamPathQuery } from '../../shell/index.ts'
import { DECIDED } from './columns.tsx'

const LAST = 5

/** What was decided last, for who has nothing to decide. */
export function LastDecided({ team }: { readonly team: string }): ReactNode {
  const query = { state: 'decided', limit: LAST, ...teamPathQuery(team) } as const
  const decided = useQuery(read(approvalRoutes.listApprovals, { query }))
  return (
    <Section
      title="Decided last"
      actions={
        <PageLink to="/t/$team/approvals" params={{ team }} search={{ state: 'decided' }}>
          All that was decided
        </PageLink>
      }
    >
      <DataList
        label="Decided last"
        columns={DECIDED}
        items={decided.data}
        keyOf={({ run_id, step }) => `${run_id} ${step}`}
        error={decided.error}
        onRetry={() => void decided.refetch()}
        empty={<Text c="dimmed">Nothing was decided yet.</Text>}
      />
    </Section>
  )
}
