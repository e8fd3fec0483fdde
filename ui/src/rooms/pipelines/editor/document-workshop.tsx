import { VisuallyHidden } from '@mantine/core'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { read } from '../../../client/index.ts'
import { addressOfUnfolded, Graph, type GraphPlace, unfoldedOf } from '../../graph/index.ts'
import { readSchema } from '../completion/schema.ts'
import { lineOf, type Place, placeAt, type ReadStep } from '../reading/places.ts'
import { CodeEditor } from './code-editor.tsx'
import styles from './editor.module.css'
import { countProblems, ProblemList } from './problem-list.tsx'
import type { Found } from './use-problems.ts'

interface DocumentWorkshopProps {
  readonly label: string
  readonly text: string
  /** Absent: the document is only read. */
  readonly onChange?: (text: string) => void
  readonly onSave?: () => void
  readonly found: Found
}

const NO_PLACES: readonly Place[] = []

/** A document with its problems and its graph, in step with each other. What is unfolded stands in the page's address. */
export function DocumentWorkshop({ label, text, onChange, onSave, found }: DocumentWorkshopProps): ReactNode {
  const { reading, problems, warnings } = found
  const places = reading?.places ?? NO_PLACES
  const [line, setLine] = useState(1)
  const [goTo, setGoTo] = useState<{ readonly line: number; readonly column?: number }>()
  const status = useRef<HTMLParagraphElement>(null)
  const answer = useQuery({ ...read(pipelineRoutes.getPipelineSchema), staleTime: Number.POSITIVE_INFINITY })
  const schema = useMemo(() => (answer.data === undefined ? undefined : readSchema(answer.data)), [answer.data])
  const help = useMemo(() => ({ schema, places }), [schema, places])
  const steps = useLastSound(reading?.steps)
  const here = placeAt(places, line)
  const { open } = useSearch({ strict: false })
  const navigate = useNavigate()
  const unfolded = useMemo(() => unfoldedOf({ open }), [open])
  return (
    <div className={styles['columns']}>
      <div>
        <div className={styles['text']}>
          <CodeEditor
            label={label}
            text={text}
            problems={problems}
            warnings={warnings}
            goTo={goTo}
            onLine={setLine}
            onLeave={() => status.current?.focus()}
            help={help}
            {...(onChange ? { onChange } : {})}
            {...(onSave ? { onSave } : {})}
          />
        </div>
        <p className={styles['status']} ref={status} tabIndex={-1}>
          <span aria-live="polite">{countProblems(problems.length, warnings.length)}</span>
          {here && <span>{here.task === undefined ? here.step : `${here.step}/${here.task}`}</span>}
          {onChange && <span>Ctrl+Space completes, Tab indents, Escape leaves, F8 goes to the next problem</span>}
        </p>
      </div>
      <div className={styles['side']}>
        <VisuallyHidden component="h2">Graph and problems</VisuallyHidden>
        <ProblemList
          problems={problems}
          warnings={warnings}
          onGoTo={({ line: at, column }) => setGoTo({ line: at, column })}
        />
        {steps && (
          <Graph
            version={JSON.stringify(steps)}
            steps={steps}
            selected={here && nodeOf(steps, here)}
            unfolded={unfolded}
            onUnfold={(shown) =>
              void navigate({ to: '.', search: (old) => ({ ...old, ...addressOfUnfolded(shown) }), replace: true })
            }
            onSelect={({ step, task }) => {
              const at = lineOf(places, step, task)
              if (at !== undefined) setGoTo({ line: at })
            }}
          />
        )}
      </div>
    </div>
  )
}

/** The graph of the text as it last was without a problem. */
function useLastSound(steps: readonly ReadStep[] | undefined): readonly ReadStep[] | undefined {
  const [last, setLast] = useState(steps)
  if (steps !== undefined && steps !== last) setLast(steps)
  return steps ?? last
}

/** The node of the graph for a place of the text: of a task with a matrix, its step. */
function nodeOf(steps: readonly ReadStep[], { step, task }: Place): GraphPlace {
  const tasks = steps.find(({ name }) => name === step)?.tasks ?? []
  return task !== undefined && tasks.some(({ name }) => name === task) ? { step, task } : { step }
}
