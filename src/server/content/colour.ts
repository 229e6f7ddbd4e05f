/** `#rrggbb`. Contrast as in WCAG 2.2. */
export type Colour = string;

type Channels = readonly [red: number, green: number, blue: number];

function channelsOf(colour: Colour): Channels {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function fromChannels(channels: Channels): Colour {
  return `#${channels.map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`;
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(colour: Colour): number {
  const [red, green, blue] = channelsOf(colour).map((one) => {
    const share = one / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 (the same colour) to 21 (black on white). */
export function contrast(one: Colour, other: Colour): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** @param share how much of the first colour, from 0 to 1. */
export function mix(one: Colour, share: number, other: Colour): Colour {
  const [from, to] = [channelsOf(other), channelsOf(one)];
  return fromChannels(
    from.map((channel, n) => channel + ((to[n] ?? 0) - channel) * share) as unknown as Channels,
  );
}

/** The colour, darkened until its contrast against another is at least so much. */
export function darkenUntil(colour: Colour, against: Colour, atLeast: number): Colour {
  for (let share = 1; share > 0; share -= 0.02) {
    const darker = mix(colour, share, '#000000');
    if (contrast(darker, against) >= atLeast) return darker;
  }
  return '#000000';
}
