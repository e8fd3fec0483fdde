import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyAs, Facts, Instant, PageHeader, ProblemNotice, Section } from '../../components/index.ts'

const page = getRouteApi('/shell/system/about')

/** Which version this is, and for administrators what it stands on. */
export function AboutPage(): ReactNode {
  const about = useQuery(page.useLoaderData())
  const { data } = about
  const system = data?.system
  return (
    <>
      <PageHeader title="About Signalbox" actions={<CopyAs path="/v1/about" command={['about']} />} />
      <ProblemNotice error={about.error} onRetry={() => void about.refetch()} />
      {data && (
        <Section title="Version">
          <Facts
            facts={[
              ['Signalbox', data.version],
              ['Page', data.page_version ?? 'served by another'],
            ]}
          />
        </Section>
      )}
      {system && (
        <Section title="This process">
          <Facts
            facts={[
              ['Installation', system.installation],
              ['Running since', <Instant key="since" at={system.started_at} form="full" />],
              ['Roles', system.roles.join(', ')],
              ['Node.js', system.node_version],
              ['Platform', system.platform],
              ['PostgreSQL', system.database.version ?? 'does not answer'],
              [system.database.embedded ? 'Embedded in' : 'Database', system.database.place],
              ['Artifacts and caches', system.features.object_store],
              ['TLS of the API', yesOrNo(system.features.tls)],
              ['TLS of runners', yesOrNo(system.features.runner_tls)],
              ['Metrics need a token', yesOrNo(system.features.metrics_require_auth)],
            ]}
          />
        </Section>
      )}
      {data && (
        <Section title="Licences">
          <Facts
            facts={data.licenses.map(({ name, license, url }) => [
              name,
              <Anchor key={name} href={url} rel="noopener noreferrer" target="_blank">
                {license}
              </Anchor>,
            ])}
          />
        </Section>
      )}
    </>
  )
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
