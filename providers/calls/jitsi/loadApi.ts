/** Timeout for the script of the installation's Jitsi. */
const TIMEOUT_MS = 20_000

/**
 * Loads the API of a Jitsi from its domain, once. The package's own loader neither reports failures nor retries.
 * @throws Error if the domain does not serve it in time
 */
export async function loadApi(domain: string): Promise<void> {
  if ('JitsiMeetExternalAPI' in window) return
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      script.remove()
      reject(new Error(`The interface of ${domain} could not be loaded.`))
    }
    const timer = setTimeout(fail, TIMEOUT_MS)
    script.async = true
    script.src = `https://${domain}/external_api.js`
    script.addEventListener('load', () => {
      clearTimeout(timer)
      if ('JitsiMeetExternalAPI' in window) resolve()
      else fail()
    })
    script.addEventListener('error', () => {
      clearTimeout(timer)
      fail()
    })
    document.head.append(script)
  })
}
