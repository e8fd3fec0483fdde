import { Button, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import type { Finding } from '@signalbox/contracts/http'
import type { ReactNode } from 'react'
import { Unreachable } from '../client/index.ts'
import { Findings } from '../components/findings.tsx'
import {
  type Column,
  CopyAs,
  CopyButton,
  DataList,
  Duration,
  EmptyState,
  Facts,
  ForeignText,
  Instant,
  Markdown,
  OutsideLink,
  PageHeader,
  ResultStrip,
  RowLink,
  Section,
  StatusBadge,
  Why,
} from '../components/index.ts'
import { Quotes } from '../components/quotes.tsx'
import { WhyRun } from '../components/why-run.tsx'
import { STATUS_WORDS } from '../theme/index.ts'
import { Forms } from './gallery-forms.tsx'

/** Every shared component in every state, to look at while one is changed. */
export function GalleryPage(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <main id="content">
      <PageHeader
        title="Gallery"
        breadcrumb={['acme', 'web']}
        badge={<StatusBadge status="running" />}
        sentence="The server's sentence stands here."
        facts={['Version 3', 'main', 'by ada']}
        actions={
          <>
            <SegmentedControl
              size="xs"
              data={['auto', 'light', 'dark']}
              value={colorScheme}
              onChange={(chosen) => setColorScheme(chosen === 'light' || chosen === 'dark' ? chosen : 'auto')}
            />
            <CopyAs path="/v1/runs" command={['run', 'list']} />
          </>
        }
      />
      <Statuses />
      <Times />
      <Lists />
      <Forms />
      <Section title="An explanation">
        <Findings label="Why" findings={FINDINGS} more={() => <Quotes quotes={[{ about: 'seen', text: 'main' }]} />} />
      </Section>
      <Section title="Text from outside">
        <Facts
          facts={[
            ['Plain', <ForeignText key="plain">feature/login</ForeignText>],
            ['Bidirectional', <ForeignText key="bidi">{'user\u202enimda'}</ForeignText>],
            ['Long', <ForeignText key="long">{'long-'.repeat(200)}</ForeignText>],
          ]}
        />
        <Markdown text={'**Markdown** from outside: [a link](https://example.com), `code`, <b>no HTML</b>.'} />
        <OutsideLink href="https://example.com/a">A link to another site</OutsideLink>{' '}
        <OutsideLink href="javascript:void 0">no link</OutsideLink> <CopyButton text="copied" label="Copy" />
      </Section>
    </main>
  )
}

const FINDINGS: readonly Finding[] = [
  {
    code: 'task.exit_code',
    sentence: 'Task build/unit ended with exit code 1.',
    evidence: [
      { kind: 'task', id: 'build/unit', run_id: 'one' },
      { kind: 'log_line', id: 'build/unit/1', run_id: 'one', line: 41 },
    ],
  },
]

function Statuses(): ReactNode {
  return (
    <Section title="Statuses">
      <ul>
        {[...STATUS_WORDS, 'a_word_of_tomorrow'].map((status) => (
          <li key={status}>
            <StatusBadge status={status} /> <StatusBadge status={status} isIconOnly /> <Why of={status}>A reason.</Why>
          </li>
        ))}
        <li>
          <StatusBadge status="failure" isIgnored /> <WhyRun id="one" status="failure" of="a run" />
        </li>
      </ul>
    </Section>
  )
}

const INSTANTS = ['2026-01-01T00:00:00.000Z', '2030-06-01T12:00:00.000Z'] as const

function Times(): ReactNode {
  return (
    <Section title="Times">
      <Facts
        facts={[
          ...INSTANTS.map((at) => [at, <Instant key={at} at={at} form="full" />] as const),
          ['None', <Instant key="none" at={null} />],
          ['Took', <Duration key="took" from={INSTANTS[0]} to={INSTANTS[1]} />],
          ['Goes on', <Duration key="on" from={INSTANTS[0]} to={null} />],
        ]}
      />
    </Section>
  )
}

const RESULTS = ['success', 'failure', 'warning', 'running'].map((status, index) => ({
  run_id: `${index}`,
  status,
  queued_at: INSTANTS[0],
}))

const COLUMNS: readonly Column<string>[] = [
  {
    key: 'name',
    header: 'Name',
    isPlain: true,
    cell: (item) => (
      <RowLink to="/runs/$id" params={{ id: item }}>
        {item}
      </RowLink>
    ),
  },
  { key: 'length', header: 'Length', isNumber: true, cell: (item) => item.length },
  { key: 'results', header: 'Results', cell: () => <ResultStrip runs={RESULTS} /> },
  { key: 'actions', header: 'Actions', isPlain: true, cell: () => <Button variant="subtle">Rotate</Button> },
]

function Lists(): ReactNode {
  const empty = <EmptyState title="Nothing yet">This is why, and what to do next.</EmptyState>
  const common = { columns: COLUMNS, keyOf: (item: string) => item, empty }
  return (
    <Section title="Lists">
      <DataList label="Filled" items={['one', 'three']} hasMore onMore={() => undefined} {...common} />
      <DataList label="Read just now" items={undefined} {...common} />
      <DataList label="Empty" items={[]} {...common} />
      <DataList
        label="Failed"
        items={undefined}
        error={new Unreachable('The control plane does not answer.')}
        {...common}
      />
    </Section>
  )
}
