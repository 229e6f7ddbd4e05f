/** True while a control is pressed by this script: the browser itself then follows the link or posts the form. */
let isNative = false;
export const isNativePress = () => isNative;

export function pressNatively(control: HTMLElement): void {
  isNative = true;
  control.click();
  isNative = false;
}
