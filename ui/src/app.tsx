import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { queries, router } from './routes.ts'
import { PROPERTIES, THEME } from './theme/index.ts'

/** The page: looks, data and routes around each other. `nonce` is that of the page's policy for styles. */
export function App({ nonce }: { readonly nonce: string }): ReactNode {
  return (
    <MantineProvider
      theme={THEME}
      cssVariablesResolver={PROPERTIES}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
