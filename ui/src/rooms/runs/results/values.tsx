import { resultRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useLive } from '../../../client/index.ts'
import { DataList, EmptyState, ForeignText, Section } from '../../../components/index.ts'
import type { Run } from '../run.ts'
import styles from './results.module.css'

/** The variables that the run began with, and the outputs that its tasks wrote. */
export function Values({ run }: { readonly run: Run }): ReactNode {
  const outputs = useQuery(read(resultRoutes.listRunOutputs, { params: { id: run.run_id } }))
  useLive([`run:${run.run_id}`], [resultRoutes.listRunOutputs])
  const variables = [
    ...Object.entries(run.variables).map(([name, value]) => ({ name, value })),
    ...run.secret_variables.map((name) => ({ name, value: null })),
  ]
  return (
    <>
      <Section title="Variables">
        <DataList
          label="Variables"
          items={variables}
          keyOf={({ name }) => name}
          columns={[
            { key: 'name', header: 'Name', isPlain: true, cell: ({ name }) => <code>{name}</code> },
            { key: 'value', header: 'Value', isPlain: true, cell: ({ value }) => <Value>{value}</Value> },
          ]}
          empty={
            <EmptyState title="No variables">
              The pipeline declares none: they stand under <code>variables</code>.
            </EmptyState>
          }
        />
      </Section>
      <Section title="Outputs of tasks">
        <DataList
          label="Outputs of tasks"
          items={outputs.data}
          error={outputs.error}
          onRetry={() => void outputs.refetch()}
          keyOf={({ step, task, name }) => `${step}/${task}/${name}`}
          columns={[
            { key: 'task', header: 'Task', cell: ({ step, task }) => <ForeignText>{`${step}/${task}`}</ForeignText> },
            { key: 'name', header: 'Name', isPlain: true, cell: ({ name }) => <code>{name}</code> },
            { key: 'value', header: 'Value', isPlain: true, cell: ({ value }) => <Value>{value}</Value> },
          ]}
          empty={
            <EmptyState title="No outputs">
              A task declares them under <code>outputs</code> and writes lines <code>name=value</code> to the file{' '}
              <code>$SIGNALBOX_OUTPUT</code>.
            </EmptyState>
          }
        />
      </Section>
    </>
  )
}

/** Null: it is secret, and never told. */
function Value({ children }: { readonly children: string | null }): ReactNode {
  if (children === null) return <em>secret, never shown</em>
  if (children === '') return <em>empty</em>
  return (
    <span className={styles['value']}>
      <ForeignText>{children}</ForeignText>
    </span>
  )
}
