import { SERVICE_KEY, SERVICE_SECRET } from './hosted-chat.ts'
import { DEMO_PASSWORD, inDatabase, outboxOf, type Product, signIn } from './product.ts'

const STAFF = 'staff@muster.example'

/** Calls a product's console as a member of staff who followed the mailed link. */
async function staffOf(product: Product) {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${product.url}/management-api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
  await post('/management/login', { email: STAFF, feUrl: product.url })
  const mail = (await outboxOf(product)).find(({ to }) => to === STAFF)
  const link = new URL(/https?:\S+/.exec(mail?.text ?? '')![0])
  const { token } = await post('/management/session', {
    id: link.searchParams.get('id') ?? link.pathname.split('/').at(-1),
  })
  return (path: string, body: object) => post(path, body, { Authorization: `Bearer ${token}` })
}

/** An organisation with an account of the hosted chat service, and two people with the demonstration's password. */
export async function aHostedOrganisation(product: Product) {
  const staff = await staffOf(product)
  const [admin, member] = ['ada@hosted.example', 'ben@hosted.example']
  const { id, enterprise } = await staff('/enterprise', {
    enterpriseName: 'Hosted Harbour',
    enterpriseDomain: 'hosted.example',
    adminFirstName: 'Ada',
    adminLastName: 'Lovelace',
    adminEmail: admin,
    subscriptionMaxUsers: 25,
    subscriptionLevel: 'BASIC',
    streamApiKey: SERVICE_KEY,
    streamSecret: SERVICE_SECRET,
  })
  const code: string = enterprise.code
  const givePasswords = () =>
    inDatabase(product.dataDir, (client) =>
      client.query(
        `update users set accepted_terms = true,
           password_hash = (select password_hash from users where email = 'admin@demo.example')
         where organisation_id = $1`,
        [id],
      ),
    )
  await givePasswords()
  const { call } = await signIn(product.url, admin, DEMO_PASSWORD, code)
  const { status, body } = await call('POST', '/useradmin/user', {
    email: member,
    firstName: 'Ben',
    lastName: 'Okri',
    phoneNumber: null,
    location: null,
    department: null,
    role: 'USER',
    type: 'INTERNAL',
    sendWelcomeSetPasswordEmail: false,
  })
  if (status >= 300) throw new Error(`The user was answered ${status}: ${JSON.stringify(body)}`)
  await givePasswords()
  return { code, admin, member }
}
