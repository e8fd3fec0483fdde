import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../shell/index.ts'

/** Each component in each state, `#/gallery`: only while the page is developed, so a build leaves it out. */
export const galleryPages = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => rootRoute,
        path: 'gallery',
        component: lazyRouteComponent(() => import('./gallery-page.tsx'), 'GalleryPage'),
      }),
    ]
  : []
