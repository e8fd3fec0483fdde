import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiProblem, Unreachable } from '../client/index.ts'
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
  PageHeader,
  ProblemNotice,
  Section,
  StatusBadge,
  Why,
} from '../components/index.ts'
import { STATUS_WORDS } from '../theme/index.ts'

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
      <Problems />
      <Section title="Text from outside">
        <Facts
          facts={[
            ['Plain', <ForeignText key="plain">feature/login</ForeignText>],
            ['Bidirectional', <ForeignText key="bidi">{'user\u202enimda'}</ForeignText>],
            ['Long', <ForeignText key="long">{'long-'.repeat(200)}</ForeignText>],
          ]}
        />
        <CopyButton text="copied" label="Copy" />
      </Section>
    </main>
  )
}

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
          <StatusBadge status="failure" isIgnored />
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

const COLUMNS: readonly Column<string>[] = [
  { key: 'name', header: 'Name', isPlain: true, cell: (item) => item },
  { key: 'length', header: 'Length', isNumber: true, cell: (item) => item.length },
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

const REFUSED = {
  detail: 'The name is taken.',
  code: 'team.path_taken',
  request_id: '0198c2f0-0000-7000-8000-000000000000',
  errors: [{ field: 'path', message: 'is taken' }],
}

function Problems(): ReactNode {
  return (
    <Section title="Problems">
      <ProblemNotice error={new ApiProblem(409, REFUSED)} onRetry={() => undefined} />
    </Section>
  )
}
