import { commandRoutes } from '@signalbox/contracts/commands/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages, useLive } from '../../client/index.ts'
import {
  type Column,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  PageLink,
  Section,
  StatusBadge,
  Why,
} from '../../components/index.ts'
import type { Source } from './source.ts'

type CommentCommand = ItemOf<typeof commandRoutes.listCommentCommands>

const POLL_MS = 2000

/** Commands in comments of pull requests, with what became of each and why. */
export function SourceCommands({ source }: { readonly source: Source }): ReactNode {
  const commands = useInfiniteQuery({
    ...readPages(commandRoutes.listCommentCommands, { query: { source_id: source.id, limit: 20 } }),
    // The delivery is told of; that a job has carried the command out is not.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ body }) => body.some((each) => each.state === 'waiting')) ? POLL_MS : false,
  })
  useLive([`deliveries:${source.id}`], [commandRoutes.listCommentCommands])
  const items = commands.data && itemsOf(commands.data)
  // Switched off, and never on: nobody looks for any.
  if (!source.comment_commands && (items === undefined || items.length === 0)) return null
  return (
    <Section
      title="Commands in comments"
      actions={
        <CopyAs path={`/v1/comment-commands?source_id=${source.id}`} command={['source', 'commands', source.id]} />
      }
    >
      <DataList
        label="Commands in comments"
        columns={COLUMNS}
        items={items}
        keyOf={({ id }) => id}
        {...moreOf(commands)}
        empty={
          <EmptyState title="No command yet">
            Write /help in a comment of a pull request: it appears here, with its answer.
          </EmptyState>
        }
      />
    </Section>
  )
}

const LOOKS: Readonly<Record<CommentCommand['state'], string>> = {
  waiting: 'waiting',
  done: 'success',
  refused: 'refused',
  failed: 'failure',
}

const COLUMNS: readonly Column<CommentCommand>[] = [
  {
    key: 'state',
    header: 'State',
    isPlain: true,
    cell: ({ state, reason }) => (
      <>
        <StatusBadge status={LOOKS[state]} />
        <Why of={LOOKS[state]}>{reason}</Why>
      </>
    ),
  },
  {
    key: 'command',
    header: 'Command',
    isPlain: true,
    cell: ({ command, source_id, delivery_id }) => (
      <PageLink to="/sources/$id/deliveries/$delivery" params={{ id: source_id, delivery: delivery_id }}>
        <ForeignText>{command ?? 'not read yet'}</ForeignText>
      </PageLink>
    ),
  },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => outcome?.replaceAll('_', ' ') },
  {
    key: 'where',
    header: 'Pull request',
    cell: ({ repository, pull_request }) => <ForeignText>{`${repository} #${pull_request}`}</ForeignText>,
  },
  {
    key: 'by',
    header: 'By',
    cell: ({ author_login, author_id }) => <ForeignText>{author_login ?? author_id}</ForeignText>,
  },
  { key: 'as', header: 'With the rights of', cell: ({ acted_as }) => <ForeignText>{acted_as}</ForeignText> },
  {
    key: 'runs',
    header: 'Runs',
    cell: ({ run_ids }) =>
      run_ids.map((id, index) => (
        <PageLink key={id} to="/runs/$id" params={{ id }}>
          {run_ids.length === 1 ? 'the run' : `${index === 0 ? '' : ', '}run ${index + 1}`}
        </PageLink>
      )),
  },
  { key: 'received', header: 'Came', cell: ({ received_at }) => <Instant at={received_at} /> },
]
