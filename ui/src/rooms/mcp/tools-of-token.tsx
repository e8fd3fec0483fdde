import { Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { type Column, DataList, EmptyState, ForeignText, ProblemNotice, StatusBadge } from '../../components/index.ts'
import styles from './mcp.module.css'
import { ToolName } from './tool-name.tsx'
import {
  countsOf,
  effectOf,
  familiesOf,
  limitsWords,
  type McpTool,
  type McpTools,
  placesWords,
  type Token,
} from './tools.ts'

interface ToolsProps {
  readonly tools: UseQueryResult<McpTools>
  readonly token: Token | undefined
}

/** The tools as a token sees them, by family, and what hides the others. */
export function Tools({ tools, token }: ToolsProps): ReactNode {
  if (!tools.data) return <ProblemNotice error={tools.error} onRetry={() => void tools.refetch()} />
  const { tools: seen, hidden } = tools.data
  return (
    <>
      <p aria-live="polite">
        {countsOf(tools.data)} {token && limitsWords(token)}
      </p>
      <Hidden hidden={hidden} />
      {seen.length === 0 && (
        <EmptyState title="No tool is offered">
          Nothing that a tool does is allowed here. An owner of a team gives rights in it, by its page of members.
        </EmptyState>
      )}
      {familiesOf(seen).map(({ name, tools: own }) => (
        <div key={name}>
          <Title order={3} className={styles['family']}>
            {name}
          </Title>
          <DataList
            label={`Tools: ${name}`}
            items={own}
            keyOf={({ name: tool }) => tool}
            columns={COLUMNS}
            empty={null}
          />
        </div>
      ))}
    </>
  )
}

/** To a client a hidden tool does not exist, so this is said here alone. */
function Hidden({ hidden }: { readonly hidden: McpTools['hidden'] }): ReactNode {
  if (hidden.length === 0) return null
  return (
    <>
      <Title order={3} className={styles['family']}>
        Hidden, as if they did not exist
      </Title>
      <ul aria-label="Hidden tools" className={styles['hidden']}>
        {hidden.map(({ why, sentence, tools }) => (
          <li key={why}>
            <ForeignText>{sentence}</ForeignText>
            <span className={styles['names']}>
              {tools.map((name) => (
                <ToolName key={name}>{name}</ToolName>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const COLUMNS: readonly Column<McpTool>[] = [
  { key: 'name', header: 'Tool', isPlain: true, cell: ({ name }) => <ToolName>{name}</ToolName> },
  { key: 'effect', header: 'What it does', cell: (tool) => <StatusBadge status={effectOf(tool)} /> },
  { key: 'description', header: 'Description', cell: ({ description }) => <ForeignText>{description}</ForeignText> },
  {
    key: 'permissions',
    header: 'Needs',
    cell: ({ permissions }) =>
      permissions.length === 0
        ? 'a token'
        : permissions.map((name, at) => (
            <Fragment key={name}>
              {at > 0 && ', '}
              <span className={styles['name']}>{name}</span>
            </Fragment>
          )),
  },
  { key: 'places', header: 'Where', cell: ({ places }) => <ForeignText>{placesWords(places)}</ForeignText> },
]
