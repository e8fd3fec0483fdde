import type { ItemOf } from '@signalbox/contracts/http/requests'
import { resultRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../../client/index.ts'
import {
  CopyButton,
  EmptyState,
  ForeignText,
  Instant,
  Markdown,
  ProblemNotice,
  Section,
  showInvisible,
} from '../../../components/index.ts'
import type { Run } from '../run.ts'
import styles from './results.module.css'

type FinalOutput = ItemOf<typeof resultRoutes.listFinalOutputs>

/** What was made of the run once it was over. */
export function FinalOutputs({ run }: { readonly run: Run }): ReactNode {
  const outputs = useQuery(read(resultRoutes.listFinalOutputs, { params: { id: run.run_id } }))
  if (run.final_output_status === 'none') {
    return (
      <EmptyState title="No final outputs">
        The pipeline makes none: they stand under <code>final_outputs</code>.
      </EmptyState>
    )
  }
  if (run.final_output_status === 'pending') {
    return (
      <EmptyState title="No final outputs yet">
        {run.finished_at === null ? 'They are made when the run is over.' : 'They are being made.'}
      </EmptyState>
    )
  }
  return (
    <>
      {run.final_output_reason !== null && (
        <p role="alert">
          <ForeignText>{run.final_output_reason}</ForeignText>
        </p>
      )}
      <ProblemNotice error={outputs.error} onRetry={() => void outputs.refetch()} />
      {outputs.data?.map((output) => (
        <Section
          key={output.name}
          title={output.name}
          actions={
            <>
              <span className={styles['made']}>
                {output.format}, made <Instant at={output.generated_at} />
              </span>
              <CopyButton text={output.content} label="Copy" isCompact />
            </>
          }
        >
          <Content output={output} />
        </Section>
      ))}
    </>
  )
}

function Content({ output: { format, content } }: { readonly output: FinalOutput }): ReactNode {
  if (format === 'markdown') return <Markdown text={content} />
  return (
    <pre className={styles['text']} tabIndex={0}>
      {showInvisible(format === 'json' ? indented(content) : content)}
    </pre>
  )
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
