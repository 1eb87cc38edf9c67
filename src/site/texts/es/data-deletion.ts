import { PRODUCT_NAME } from '#protocol/constants.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/data-deletion.ts'

export const texts: Translation<typeof english> = {
  'data-deletion.title': 'Eliminación de datos',
  'data-deletion.lead': `Cómo pedir que se elimine todo lo que ${PRODUCT_NAME} guarda sobre ti cuando inicias sesión con una cuenta de una red social.`,
  'data-deletion.ask': 'Pídenos que eliminemos tus datos',
  'data-deletion.ask.here':
    'Lo más rápido: inicia sesión, abre tu perfil arriba a la derecha y elige «Eliminar mi cuenta». Con «Descargar mis datos», justo al lado, puedes llevarte antes una copia.',
  'data-deletion.ask.mail': 'O pídelo por correo:',
  'data-deletion.ask.write': 'Escribe un correo a <contact/> desde la dirección de tu cuenta de {providers}.',
  'data-deletion.ask.subject': 'Pon como asunto «Eliminad mis datos». No hace falta que des un motivo.',
  'data-deletion.ask.confirm': 'Te confirmamos que la solicitud ha llegado.',
  'data-deletion.ask.deleted': 'En un plazo de 7 días laborables eliminamos tus datos y te avisamos.',
  'data-deletion.ask.time': 'En un plazo de 7 días laborables eliminamos tus datos.',
  'data-deletion.what': 'Qué se elimina',
  'data-deletion.what.text':
    'Tu nombre, tu correo electrónico, tu apodo, tu género, tu fecha de nacimiento y tu foto de perfil, tus sesiones, los datos técnicos de tus visitas, y a quién conociste, bloqueaste o denunciaste. Las conversaciones no se graban y los chats no se guardan nunca, así que de ellos no hay nada que eliminar.',
  'data-deletion.what.kept':
    'Si una cuenta se bloqueó por incumplir las normas, conservamos solo lo necesario para mantener ese bloqueo. Si hay una advertencia, una suspensión o una revisión en curso, conservamos solo lo necesario para continuarla, hasta que termine. Tus denuncias que resultaron falsas o esperan una decisión, y las personas con las que no debes volver a coincidir, se conservan con códigos sin tu nombre, como dice el aviso de privacidad. Una eliminación que ya se ha llevado a cabo no se puede deshacer.',
  'data-deletion.facebook': 'Quita la app de Facebook',
  'data-deletion.facebook.text':
    'Esto termina la conexión por parte de Facebook. No sustituye a la solicitud anterior.',
  'data-deletion.facebook.settings':
    'Abre Configuración y privacidad, y después Configuración, en tu cuenta de Facebook.',
  'data-deletion.facebook.apps': 'Elige Aplicaciones y sitios web.',
  'data-deletion.facebook.remove': `Busca ${PRODUCT_NAME} y pulsa Eliminar.`,
  'data-deletion.more': 'Más sobre tus datos',
  'data-deletion.more.text':
    'Todo lo que guardamos, y por qué, está en nuestro <privacy>aviso de privacidad</privacy>.',
}
