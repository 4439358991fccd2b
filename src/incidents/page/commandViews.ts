import type { ComponentType } from 'react'

import type { Incident } from '#contract/incidents/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'

/** A part of an incident's page beside story, people and files, as the address names it. Its texts load with it. */
export interface CommandView {
  /** Also the key of its title in `incidents.viewNames`. */
  readonly name: 'timeline' | 'decisions' | 'reports' | 'board' | 'duties'
  readonly View: ComponentType<{ incident: Incident }>
}

/** Parts for command, in the order of their tabs. */
export const COMMAND_VIEWS: readonly CommandView[] = [
  { name: 'board', View: lazy(async () => ({ default: (await import('../board/Board.tsx')).Board })) },
  {
    name: 'timeline',
    View: lazy(async () => ({ default: (await import('../timeline/Timeline.tsx')).Timeline })),
  },
  {
    name: 'decisions',
    View: lazy(async () => ({ default: (await import('../decisions/Decisions.tsx')).Decisions })),
  },
  {
    name: 'reports',
    View: lazy(async () => ({
      default: (await import('../situation-reports/SituationReportsView.tsx')).SituationReportsView,
    })),
  },
  {
    name: 'duties',
    View: lazy(async () => ({ default: (await import('../duties/DutiesView.tsx')).DutiesView })),
  },
]
