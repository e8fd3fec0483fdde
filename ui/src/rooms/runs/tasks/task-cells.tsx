import type { ReactNode } from 'react'
import { Duration, ForeignText, Instant, PageLink, StatusBadge, showInvisible } from '../../../components/index.ts'
import type { TaskRow } from './rows-of-tasks.ts'
import { RunnerName } from './runner-name.tsx'
import styles from './task-table.module.css'

const HEADS = ['Status', 'Name', 'Took', 'Exit', 'Runner', 'Reason'] as const

export function TaskHeads(): ReactNode {
  return HEADS.map((name) => (
    <span key={name} role="columnheader" className={styles[name.toLowerCase()]}>
      {name}
    </span>
  ))
}

/** The cells of a step, a task or an attempt. */
export function TaskCells({ row }: { readonly row: TaskRow }): ReactNode {
  return (
    <>
      <span role="gridcell" className={styles['status']}>
        <StatusBadge status={row.status} />
      </span>
      <span role="gridcell" className={styles['name']} data-level={row.level} title={row.name}>
        {showInvisible(row.name)}
      </span>
      <span role="gridcell" className={styles['took']}>
        {row.startedAt !== null && <Duration from={row.startedAt} to={row.finishedAt} />}
      </span>
      <span role="gridcell" className={styles['exit']}>
        {row.exitCode}
      </span>
      <span role="gridcell" className={styles['runner']}>
        <RunnerName id={row.runnerId} />
      </span>
      <span role="gridcell" className={styles['reason']}>
        <ForeignText>{row.reason}</ForeignText>
        {row.retryAt !== null && (
          <span>
            Again <Instant at={row.retryAt} />.
          </span>
        )}
        {row.childRunId !== null && (
          <PageLink to="/runs/$id" params={{ id: row.childRunId }}>
            its run
          </PageLink>
        )}
        <Images images={row.images} />
      </span>
    </>
  )
}

/** The images of a task's containers with the digests that ran. */
function Images({ images }: Pick<TaskRow, 'images'>): ReactNode {
  return images.map(({ service, image, digest }) => (
    <span key={`${service} ${image}`} className={styles['image']} title={`${image}@${digest}`}>
      {service === null ? '' : `${service}: `}
      {showInvisible(image)} <code>{digest.replace(/^sha256:/, '').slice(0, 12)}</code>
    </span>
  ))
}
