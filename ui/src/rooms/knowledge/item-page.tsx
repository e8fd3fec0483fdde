import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { itemsOf, readPages, useEdited, useWrite } from '../../client/index.ts'
import { DeleteDialog } from '../../components/delete-dialog.tsx'
import { EditForm } from '../../components/edit-form.tsx'
import {
  AllowedButton,
  CopyAs,
  DataList,
  EmptyState,
  ForeignText,
  Instant,
  PageHeader,
  PageLink,
  Section,
} from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { EVERY_TEAM } from '../../shell/index.ts'
import { contentOf, draftOf, type KnowledgeItem } from './item.ts'
import { ITEM_FIELDS, ItemFields } from './item-fields.tsx'
import styles from './item-page.module.css'
import { ItemTest } from './item-test.tsx'
import { PastRuns } from './past-runs.tsx'
import { addressOfRuns, readWantedRuns } from './trial.ts'

const page = getRouteApi('/shell/knowledge/$id')
const CHANGES = [
  knowledgeRoutes.getKnowledgeItem,
  knowledgeRoutes.listKnowledgeItems,
  knowledgeRoutes.listKnowledgeRevisions,
]

/** One item: to read, to change, to try, and its revisions. */
export function ItemPage(): ReactNode {
  const item = useQuery(page.useLoaderData())
  if (item.data === undefined) {
    return <ObjectPending title="Knowledge" query={item} />
  }
  return <LoadedItem key={item.data.body.id} item={item.data.body} etag={item.data.etag} />
}

interface LoadedItemProps {
  readonly item: KnowledgeItem
  readonly etag: string | undefined
}

function LoadedItem({ item, etag }: LoadedItemProps): ReactNode {
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const remove = useWrite(knowledgeRoutes.deleteKnowledgeItem, {
    changes: [knowledgeRoutes.listKnowledgeItems],
    shown: [knowledgeRoutes.getKnowledgeItem],
    onDone: () => void navigate({ to: '/t/$team/knowledge', params: { team: teamOf(item) } }),
  })
  return (
    <>
      <PageHeader
        title={item.name}
        team={item.team_path}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/knowledge" params={{ team: teamOf(item) }}>
            Knowledge
          </PageLink>,
        ]}
        facts={[
          item.kind,
          `revision ${item.revision}`,
          <ForeignText key="by">{`saved by ${item.saved_by}`}</ForeignText>,
        ]}
        actions={
          <>
            <AllowedButton
              permission={permissionOf(item)}
              at={item.team_path}
              variant="default"
              onClick={() => setDeleting(true)}
            >
              Delete
            </AllowedButton>
            <CopyAs path={`/v1/knowledge/${item.id}`} command={['knowledge', 'show', item.identifier]} />
          </>
        }
      />
      <EditItem item={item} etag={etag} />
      <Section title="Revisions">
        <Revisions itemId={item.id} />
      </Section>
      {isDeleting && (
        <DeleteDialog
          title={`Delete ${item.identifier}?`}
          loss="It holds no more. Its revisions stay, because runs pin them."
          stored={{ revision: item.revision, saved_by: item.saved_by }}
          etag={etag}
          write={remove}
          onDelete={(ifMatch) => remove.mutate({ params: { id: item.id }, ifMatch })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

function teamOf({ team_path }: KnowledgeItem): string {
  return team_path === '/' ? EVERY_TEAM : team_path
}

function permissionOf({ kind }: KnowledgeItem): 'policy.write' | 'knowledge.write' {
  return kind === 'policy' ? 'policy.write' : 'knowledge.write'
}

function EditItem({ item, etag }: LoadedItemProps): ReactNode {
  const { team_path, name, kind } = item
  const address = page.useSearch()
  const navigate = page.useNavigate()
  const edited = useEdited({
    route: knowledgeRoutes.replaceKnowledgeItem,
    params: { id: item.id },
    changes: CHANGES,
    stored: item,
    etag,
    draftOf,
    documentOf: contentOf,
  })
  return (
    <>
      <EditForm
        edited={edited}
        marked={ITEM_FIELDS}
        permission={permissionOf(item)}
        at={item.team_path}
        action="Save a new revision"
        className={styles['form']}
      >
        <ItemFields draft={edited.draft} onChange={edited.setDraft} error={edited.error} />
      </EditForm>
      {item.rule !== null && (
        <>
          <ItemTest item={item} />
          <PastRuns
            subject={edited.isChanged ? { draft: { ...edited.document, team_path, name, kind } } : { item: item.id }}
            asked={readWantedRuns(address, team_path)}
            onTry={(runs) =>
              void navigate({ search: addressOfRuns(runs, team_path), replace: true, resetScroll: false })
            }
          />
        </>
      )}
    </>
  )
}

function Revisions({ itemId }: { readonly itemId: string }): ReactNode {
  const revisions = useInfiniteQuery(readPages(knowledgeRoutes.listKnowledgeRevisions, { params: { id: itemId } }))
  return (
    <DataList
      label="Revisions"
      items={revisions.data && itemsOf(revisions.data)}
      keyOf={({ id }) => id}
      columns={[
        { key: 'revision', header: 'Revision', isPlain: true, cell: ({ revision }) => revision },
        { key: 'scope', header: 'Holds for', cell: ({ scope }) => scope },
        {
          key: 'rule',
          header: 'Rule',
          cell: ({ rule }) => (
            <code>
              <ForeignText>{rule}</ForeignText>
            </code>
          ),
        },
        { key: 'by', header: 'Saved by', cell: ({ saved_by }) => <ForeignText>{saved_by}</ForeignText> },
        { key: 'at', header: 'Saved', cell: ({ saved_at }) => <Instant at={saved_at} /> },
      ]}
      error={revisions.error}
      hasMore={revisions.hasNextPage}
      isReadingMore={revisions.isFetchingNextPage}
      onMore={() => void revisions.fetchNextPage()}
      empty={<EmptyState title="No revision">Each save makes one.</EmptyState>}
    />
  )
}
