import { Autocomplete, Checkbox, Radio, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type Preferences, useChangePreferences, usePreferences } from '../../client/preferences.ts'
import { useMe } from '../../client/session.ts'
import { CopyAs, EmptyState, fieldError, PageHeader, ProblemNotice, Section } from '../../components/index.ts'
import styles from './preferences-page.module.css'

/** How the person likes the page; each change is saved at once. */
export function PreferencesPage(): ReactNode {
  const me = useMe()
  const preferences = usePreferences()
  return (
    <>
      <PageHeader
        title="Preferences"
        sentence="How you like the page, in every browser that you sign in with. Each change is saved at once."
        actions={<CopyAs path="/v1/preferences" />}
      />
      {me !== undefined && me.kind !== 'user' && (
        <EmptyState title="Preferences are of people">You are signed in as {me.name}, which has none.</EmptyState>
      )}
      {preferences && <Choices preferences={preferences} />}
    </>
  )
}

function Choices({ preferences }: { readonly preferences: Preferences }): ReactNode {
  const change = useChangePreferences()
  const [error, setError] = useState<Error | null>(null)
  const [zone, setZone] = useState(preferences.time_zone ?? '')
  const save = (some: Partial<Preferences>): void => {
    change((before) => ({ ...before, ...some })).then(
      () => setError(null),
      (failure: unknown) => setError(failure instanceof Error ? failure : new Error('It could not be saved.')),
    )
  }
  const { log } = preferences
  return (
    <div className={styles['form']}>
      <ProblemNotice error={error} marked={['time_zone']} />
      <Section title="Looks">
        <Stack gap="md">
          <Radio.Group
            label="Colours"
            value={preferences.color_scheme}
            onChange={(chosen) => save({ color_scheme: chosen === 'light' || chosen === 'dark' ? chosen : 'system' })}
          >
            <Stack gap="xs">
              <Radio value="system" label="As the system" />
              <Radio value="light" label="Light" />
              <Radio value="dark" label="Dark" />
            </Stack>
          </Radio.Group>
          <Radio.Group
            label="Rows of lists"
            value={preferences.density}
            onChange={(chosen) => save({ density: chosen === 'compact' ? 'compact' : 'comfortable' })}
          >
            <Stack gap="xs">
              <Radio value="compact" label="Compact" />
              <Radio value="comfortable" label="Comfortable" />
            </Stack>
          </Radio.Group>
        </Stack>
      </Section>
      <Section title="Times">
        <Autocomplete
          label="Time zone"
          description="Empty: the one of this browser."
          data={Intl.supportedValuesOf('timeZone')}
          limit={20}
          value={zone}
          error={fieldError(error, 'time_zone')}
          onChange={setZone}
          onBlur={() => save({ time_zone: zone.trim() === '' ? null : zone.trim() })}
        />
      </Section>
      <Section title="Keys">
        <Checkbox
          label="Keys for pages and lists"
          description="/ searches, ? shows all keys, g and a letter opens a page, j and k move in a list. Ctrl K stays."
          checked={preferences.shortcuts}
          onChange={({ currentTarget }) => save({ shortcuts: currentTarget.checked })}
        />
      </Section>
      <Section title="Logs">
        <Stack gap="xs">
          <Checkbox
            label="Wrap long lines"
            checked={log.wrap}
            onChange={({ currentTarget }) => save({ log: { ...log, wrap: currentTarget.checked } })}
          />
          <Checkbox
            label="Show the time of each line"
            checked={log.times}
            onChange={({ currentTarget }) => save({ log: { ...log, times: currentTarget.checked } })}
          />
          <Checkbox
            label="Show the number of each line"
            checked={log.numbers}
            onChange={({ currentTarget }) => save({ log: { ...log, numbers: currentTarget.checked } })}
          />
        </Stack>
      </Section>
    </div>
  )
}
