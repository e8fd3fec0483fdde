import { Anchor } from '@mantine/core'
import { defaultStringifySearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ForeignText, PageLink } from '../../../components/index.ts'
import type { FailureRoot } from './failure-root.ts'
import styles from './why.module.css'
import { linesWords } from './why-words.ts'

interface RelevantLinesProps {
  readonly root: Pick<FailureRoot, 'run_id' | 'step' | 'task' | 'attempt'>
  readonly lines: NonNullable<FailureRoot['lines']>
}

/** The lines of a failed attempt that tell why, each with a link to its place in the log. */
export function RelevantLines({ root, lines }: RelevantLinesProps): ReactNode {
  const { how, compared_with: compared, lines: shown, left, cut, searched_from: from } = lines
  return (
    <>
      <p>
        {linesWords(how, compared.length)}{' '}
        {compared.map(({ run_id: id }, index) => (
          <span key={`${id} ${index}`}>
            <PageLink underline="always" to="/runs/$id" params={{ id }} size="sm">
              success {index + 1}
            </PageLink>{' '}
          </span>
        ))}
        {left > 0 && `${left} more of this kind are not shown. `}
        {from > 0 && `Lines before ${from} were not looked at. `}
        {cut && 'The comparison ended early, as the logs are long.'}
      </p>
      {shown.length > 0 && (
        <ol className={styles['lines']} aria-label="Lines that tell why">
          {shown.map((line) => (
            <li key={line.number} data-new={line.new || undefined} data-error={line.error || undefined}>
              <Anchor className={styles['number']} href={addressOfLine(root, line.number)}>
                {line.number}
              </Anchor>
              <ForeignText>{line.text}</ForeignText>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

/** The log of the attempt with that line chosen. */
function addressOfLine({ run_id: id, step, task, attempt }: RelevantLinesProps['root'], number: number): string {
  const section = `${step}/${task}/${attempt}`
  return `#/runs/${id}${defaultStringifySearch({ task: `${step}/${task}`, line: `${section}:${number}` })}`
}
