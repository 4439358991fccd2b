import { Logo } from '../layout/Logo.tsx'

/** What the document shows before anything has loaded (index.html), kept until the application is there. */
export function Boot() {
  return (
    <div className="boot">
      <Logo size={48} />
    </div>
  )
}
