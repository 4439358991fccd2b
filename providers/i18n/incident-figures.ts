import type { Figures } from '#contract/incident-figures/schema.ts'
import type { Severity } from '#contract/incidents/schema.ts'

export type Measure = Exclude<keyof Figures, 'count'>
const measures: { readonly [M in Measure]: string } = {
  checkIn: 'To the first check-in',
  update: 'To the first update',
  resolution: 'To the resolution',
}
const severities: { readonly [S in Severity]: string } = {
  LOW: 'Low',
  MEDIUM: 'Medium',
  HIGH: 'High',
  CRITICAL: 'Critical',
}

/** Words of the page of figures. They load with it. */
export const incidentFigures = {
  title: 'Incident Figures',
  open: 'Figures',
  back: 'All incidents',
  period: 'Period',
  periods: { '30': 'Last 30 days', '90': 'Last 90 days', '365': 'Last 12 months', '1095': 'Last 3 years' },
  what: 'Incidents or exercises',
  incidents: 'Incidents',
  exercises: 'Exercises',
  measure: 'Time',
  measures,
  group: 'By',
  groups: { months: 'Month', severities: 'Severity', kinds: 'Kind' },
  severities,
  noKind: 'No kind',
  all: 'All',
  count: 'Number',
  median: 'Half within',
  most: '9 of 10 within',
  minutes: 'Minutes, half of them within',
  chart: (measure: Measure, group: string) => `${measures[measure]}, by ${group.toLowerCase()}`,
  chartText: 'The table below has all values.',
  table: 'All figures',
  none: 'Nothing was declared in this period.',
  save: 'Save as CSV',
  file: (from: string, to: string) => `incident-figures-${from}-${to}.csv`,
}
