import { Group, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { EmptyState, ForeignText, PageLink, StatusBadge } from '../../components/index.ts'
import styles from './event-tree.module.css'
import type { ConditionTrace, EventTrace, TriggerTrace } from './source.ts'
import { isWanted, type TraceAddress } from './trace-address.ts'

interface EventTreeProps {
  /** Absent for an event that somebody posted. */
  readonly verification?: string
  readonly proof?: string
  readonly events: readonly EventTrace[]
  /** The rule that is marked and scrolled to. */
  readonly wanted?: TraceAddress
}

/** How a delivery was judged: signature, event, each trigger and each condition, and the runs at the leaves. */
export function EventTree({ verification, proof, events, wanted = {} }: EventTreeProps): ReactNode {
  return (
    <ul className={styles['tree']}>
      {proof !== undefined && (
        <li>
          {verification !== undefined && <StatusBadge status={verification} />} {proof}
        </li>
      )}
      {events.map((event) => (
        <li key={event.event_id}>
          <strong>
            <ForeignText>{[event.kind, event.action].filter((part) => part !== '').join(' ')}</ForeignText>
          </strong>{' '}
          of <ForeignText>{event.repository}</ForeignText>
          {event.ref !== null && (
            <>
              {' '}
              at <ForeignText>{event.ref}</ForeignText>
            </>
          )}
          . <Text span>{sentenceOf(event)}</Text>
          {event.note !== undefined && <p className={styles['note']}>{event.note}</p>}
          <ul>
            {event.manifest && <Manifest manifest={event.manifest} />}
            {event.triggers.map((trigger, index) => (
              // One rule may stand twice, in two layers.
              <Rule
                key={`${trigger.layer} ${trigger.trigger_id ?? trigger.name} ${index}`}
                trigger={trigger}
                isWanted={isWanted(wanted, trigger)}
              />
            ))}
            {event.near_misses?.map((miss) => (
              <li key={miss.trigger_id}>
                <StatusBadge status="near_miss" />{' '}
                <PageLink to="/triggers/$id" params={{ id: miss.trigger_id }}>
                  <ForeignText>{`${miss.team_path}: ${miss.name}`}</ForeignText>
                </PageLink>{' '}
                <ForeignText>{miss.reason}</ForeignText>
              </li>
            ))}
          </ul>
        </li>
      ))}
      {events.length === 0 && (
        <li>
          <EmptyState title="No event was read from it">The sentence above says why.</EmptyState>
        </li>
      )}
    </ul>
  )
}

const LAYER_WORDS = {
  override: 'An override decided.',
  repository_manifest: 'The manifest of the repository decided.',
  service_trigger: 'Triggers decided.',
} as const

function sentenceOf({ layer, triggers }: EventTrace): string {
  if (layer !== null) return LAYER_WORDS[layer]
  return triggers.length === 0 ? 'No trigger is for this repository.' : 'Nothing started.'
}

function Manifest({ manifest }: { readonly manifest: NonNullable<EventTrace['manifest']> }): ReactNode {
  return (
    <li>
      <StatusBadge status={`manifest_${manifest.state}`} /> <ForeignText>{manifest.path}</ForeignText>{' '}
      <ForeignText>{manifest.reason}</ForeignText>
      <ul>
        {manifest.problems.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            Line {line}, column {column}: <ForeignText>{message}</ForeignText>
          </li>
        ))}
      </ul>
    </li>
  )
}

interface RuleProps {
  readonly trigger: TriggerTrace
  readonly isWanted: boolean
}

function Rule({ trigger, isWanted: isMarked }: RuleProps): ReactNode {
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isMarked) place.current?.scrollIntoView({ block: 'center' })
  }, [isMarked])
  const { outcome, name, team_path, trigger_id, pipeline, reason, run_id, conditions, matched } = trigger
  const title = <ForeignText>{`${team_path}: ${name}`}</ForeignText>
  return (
    <li ref={place} className={styles['rule']} data-wanted={isMarked || undefined} aria-current={isMarked || undefined}>
      <details open={isMarked || !matched || conditions.length < 4}>
        <summary>
          <StatusBadge status={outcome} /> {title}
          {pipeline !== null && (
            <>
              {' '}
              → <ForeignText>{pipeline}</ForeignText>
            </>
          )}{' '}
          <ForeignText>{reason}</ForeignText>
        </summary>
        <ul className={styles['conditions']}>
          {conditions.map((condition) => (
            <Condition
              key={`${condition.condition} ${condition.expected}`}
              condition={condition}
              isFirstFailed={condition.condition === trigger.first_failed && condition.passed === false}
            />
          ))}
        </ul>
      </details>
      <Group gap="md" className={styles['links']}>
        {trigger_id !== null && (
          <PageLink to="/triggers/$id" params={{ id: trigger_id }} size="sm">
            Open the trigger
          </PageLink>
        )}
        {run_id !== null && (
          <PageLink to="/runs/$id" params={{ id: run_id }} size="sm">
            Open the run
          </PageLink>
        )}
      </Group>
    </li>
  )
}

interface ConditionProps {
  readonly condition: ConditionTrace
  readonly isFirstFailed: boolean
}

function Condition({
  condition: { condition, expected, seen, passed, note },
  isFirstFailed,
}: ConditionProps): ReactNode {
  const status = passed === null ? 'not_looked_at' : passed ? 'held' : 'not_held'
  return (
    <li className={styles['condition']} data-first-failed={isFirstFailed || undefined}>
      <StatusBadge status={status === 'held' ? 'condition_held' : status} isIconOnly />
      <code>{condition}</code>
      <span>
        <span className={styles['word']}>expected</span> <ForeignText>{expected}</ForeignText>
      </span>
      {seen !== null && (
        <span>
          <span className={styles['word']}>seen</span> <ForeignText>{seen}</ForeignText>
        </span>
      )}
      {(note !== undefined || isFirstFailed) && (
        <span className={styles['more']}>
          <ForeignText>{note}</ForeignText> {isFirstFailed && <strong>This is why.</strong>}
        </span>
      )}
    </li>
  )
}
