import { DELETION_BUSINESS_DAYS } from '#protocol/deletion.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/my-data.ts'

export const texts: Translation<typeof english> = {
  'my-data.download': 'Descargar mis datos',
  'my-data.downloading': 'Recopilando...',
  'my-data.download.failed': 'No hemos podido recopilar tus datos. Inténtalo de nuevo dentro de unos minutos.',
  'my-data.delete': 'Eliminar mi cuenta',
  'my-data.deleting': 'Eliminando...',
  'my-data.delete.failed': 'No hemos podido eliminar tu cuenta. Inténtalo de nuevo.',
  'my-data.delete.title': '¿Eliminar tu cuenta?',
  'my-data.delete.what': 'Se eliminarán tu perfil, tu foto, tu historial y todo lo demás que guardamos sobre ti.',
  'my-data.delete.when': `Cerramos tu sesión al momento. Tus datos desaparecen en un plazo de ${DELETION_BUSINESS_DAYS} días laborables.`,
  'my-data.delete.back':
    'Si cambias de idea, vuelve a iniciar sesión y conserva tu cuenta. Puedes hacerlo durante {days, plural, one {un día.} other {# días.}}',
  'my-data.delete.no-way-back': 'Esto no se puede deshacer.',
  'my-data.delete.block':
    'Si la cuenta está bloqueada, o hay una advertencia, una suspensión o una revisión en curso, conservamos solo lo necesario para ello, mientras dure.',
  'my-data.keep': 'Conservar mi cuenta',
  'my-data.keeping': 'Conservando...',
  'my-data.keep.failed': 'No hemos podido conservar tu cuenta. Inténtalo de nuevo.',
  'my-data.again.title': 'Vuelve a iniciar sesión',
  'my-data.again.why':
    'Iniciaste sesión hace un rato. Para que nadie pueda hacer esto en tu lugar, demuéstranos que eres tú.',
  'my-data.again.provider': 'Iniciar sesión con {provider}',
  'my-data.again.cancel': 'Cancelar',
  'my-data.again.cancelled': 'Se canceló el inicio de sesión.',
  'my-data.again.blocked': 'Se bloqueó la ventana de inicio de sesión. Permite las ventanas emergentes en este sitio.',
  'my-data.again.other-account': 'Esa es otra cuenta. Inicia sesión con la que usas aquí.',
  'my-data.again.failed': 'No se ha podido iniciar sesión. Inténtalo de nuevo.',
  'my-data.logins': 'Dónde tengo la sesión abierta',
  'my-data.logins.title': 'Dónde tienes la sesión abierta',
  'my-data.logins.hint': 'Si no reconoces alguna, ciérrala. Ese dispositivo queda fuera al momento.',
  'my-data.logins.device': '{browser} en {os}',
  'my-data.logins.unknown': 'Dispositivo desconocido',
  'my-data.logins.this': 'Este dispositivo',
  'my-data.logins.no-place': 'Lugar desconocido',
  'my-data.logins.since': 'Inicio de sesión: {at}',
  'my-data.logins.seen': 'Última actividad: {at}',
  'my-data.logins.end': 'Cerrar esta sesión',
  'my-data.logins.end-others': 'Cerrar todas las demás sesiones',
  'my-data.logins.close': 'Cerrar',
  'my-data.logins.loading': 'Cargando...',
  'my-data.logins.ended': 'Hecho. Ya nadie tiene la sesión abierta allí.',
  'my-data.logins.not-read': 'No hemos podido cargar la lista. Inténtalo de nuevo.',
  'my-data.logins.not-ended': 'No ha funcionado. Inténtalo de nuevo.',
  'my-data.going': 'Estamos eliminando tu cuenta',
  'my-data.going.until':
    'Lo pediste el {asked}. Todo lo que guardamos sobre ti habrá desaparecido el {due} a más tardar. Hasta entonces no puedes iniciar un videochat.',
  'my-data.going.mind': '¿Has cambiado de idea? Antes del {start} puedes conservar tu cuenta tal como estaba.',
  'my-data.held':
    'Lo pediste el {asked}. La ley nos pide que conservemos tus datos aparte por ahora, así que la eliminación espera. Mientras tanto nadie los usa, y no puedes iniciar un videochat.',
  'my-data.held.next': 'En cuanto podamos, lo eliminamos todo. No hace falta que lo pidas otra vez.',
}
