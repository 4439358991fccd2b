import type { Incident } from '#contract/incidents/schema.ts'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { useText } from '#src/kit/useText.ts'

/** The title of an incident's page. The browser's tab begins with the severity. */
export function IncidentTitle({ incident: { number, title, isTabletop, severity } }: { incident: Incident }) {
  const text = useText()
  return (
    <PageTitle
      title={text(isTabletop ? 'incidents.exerciseMark' : 'incidents.incident')}
      tab={text(isTabletop ? 'incidents.tabTitleExercise' : 'incidents.tabTitle', {
        severity: text(`incidents.severities.${severity}`),
        title: number === '' ? title : `${number} ${title}`,
      })}
    />
  )
}
