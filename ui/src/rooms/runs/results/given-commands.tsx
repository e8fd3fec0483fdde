import { commandRoutes } from '@signalbox/contracts/commands/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages, useLive } from '../../../client/index.ts'
import { type Column, CopyAs, DataList, EmptyState, ForeignText, Instant, Section } from '../../../components/index.ts'
import type { Run } from '../run.ts'

type GivenCommand = ItemOf<typeof commandRoutes.listRunCommands>

/** Who asked in comments of the pull request for what was done with the run. */
export function GivenCommands({ run: { run_id: id } }: { readonly run: Run }): ReactNode {
  const commands = useInfiniteQuery(readPages(commandRoutes.listRunCommands, { params: { id }, query: { limit: 20 } }))
  useLive([`run:${id}`], [runRoutes.getRun, commandRoutes.listRunCommands])
  return (
    <Section
      title="Commands in comments"
      actions={<CopyAs path={`/v1/runs/${id}/commands`} command={['run', 'commands', id]} />}
    >
      <DataList
        label="Commands in comments"
        columns={COLUMNS}
        items={commands.data && itemsOf(commands.data)}
        keyOf={({ id: command }) => command}
        {...moreOf(commands)}
        empty={
          <EmptyState title="No command was given">
            /rerun, /cancel and /approve in comments of the pull request appear here once they are carried out.
          </EmptyState>
        }
      />
    </Section>
  )
}

const COLUMNS: readonly Column<GivenCommand>[] = [
  { key: 'command', header: 'Command', isPlain: true, cell: ({ command }) => <ForeignText>{command}</ForeignText> },
  { key: 'outcome', header: 'Outcome', isPlain: true, cell: ({ outcome }) => outcome.replaceAll('_', ' ') },
  {
    key: 'by',
    header: 'By',
    cell: ({ author_login, author_id }) => <ForeignText>{author_login ?? author_id}</ForeignText>,
  },
  { key: 'as', header: 'With the rights of', cell: ({ acted_as }) => <ForeignText>{acted_as}</ForeignText> },
  {
    key: 'where',
    header: 'Pull request',
    cell: ({ repository, pull_request }) => <ForeignText>{`${repository} #${pull_request}`}</ForeignText>,
  },
  { key: 'received', header: 'Came', cell: ({ received_at }) => <Instant at={received_at} /> },
]
