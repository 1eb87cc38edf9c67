import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/service-status.ts'

export const texts: Translation<typeof english> = {
  'service-status.title': 'Estado del servicio',
  'service-status.reading': 'Comprobando...',
  'service-status.works': 'Todo funciona.',
  'service-status.trouble': 'Casi todo funciona, pero no todo.',
  'service-status.part-down': 'Hay algo que no funciona ahora mismo.',
  'service-status.all-down': 'Ahora mismo no funciona nada. No has perdido nada: vuelve dentro de unos minutos.',
  'service-status.since': 'Desde: {time}.',
  'service-status.looked': 'Última comprobación: {time}.',
  'service-status.again': 'Mientras está abierta, esta página lo comprueba de nuevo cada medio minuto.',
  'service-status.unreachable': 'No podemos conectar con nuestro propio servicio.',
  'service-status.unreachable.help':
    '¿Se abre algún otro sitio? Entonces el fallo es nuestro y no puedes hacer nada: vuelve dentro de unos minutos. Si no se abre ninguno, comprueba tu conexión.',
  'service-status.offline': 'Tu dispositivo no tiene conexión, así que esta página no puede saber qué funciona.',
  'service-status.signIn.works': 'Puedes iniciar sesión.',
  'service-status.signIn.trouble': 'Algunas personas no pueden iniciar sesión.',
  'service-status.signIn.trouble.help':
    'Inténtalo de nuevo dentro de un minuto. Si ya has iniciado sesión, la conservas.',
  'service-status.signIn.down': 'Ahora mismo no se puede iniciar sesión.',
  'service-status.signIn.down.help': 'Inténtalo de nuevo dentro de unos minutos. Tu cuenta está bien.',
  'service-status.matching.works': 'Puedes conocer a gente nueva.',
  'service-status.matching.trouble': 'Encontrar a alguien tarda más de lo normal.',
  'service-status.matching.trouble.help': 'Puedes seguir buscando: la búsqueda continúa sola.',
  'service-status.matching.down': 'Ahora mismo no podemos encontrarte a nadie.',
  'service-status.matching.down.help':
    'Una llamada que ya ha empezado continúa. Para una nueva, vuelve dentro de unos minutos.',
  'service-status.calls.works': 'Las llamadas se establecen.',
  'service-status.calls.trouble': 'Algunas llamadas no se establecen.',
  'service-status.calls.trouble.help': 'Si te pasa con la tuya, la búsqueda sigue con otra persona.',
  'service-status.calls.down': 'Ahora mismo no se establecen llamadas nuevas.',
  'service-status.calls.down.help':
    'Una llamada que ya ha empezado continúa. Para una nueva, vuelve dentro de unos minutos.',
  'service-status.pictures.works': 'Las imágenes de la cámara del panel nos llegan.',
  'service-status.pictures.trouble': 'Algunas imágenes de la cámara del panel no nos llegan.',
  'service-status.pictures.trouble.help': 'No tienes que hacer nada.',
  'service-status.pictures.down': 'Las imágenes de la cámara del panel no nos llegan ahora mismo.',
  'service-status.pictures.down.help': 'No tienes que hacer nada.',
}
