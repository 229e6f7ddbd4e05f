export const metadata = { title: 'Get help' };

export default function Layout({ children }) {
  return (
    <html lang="en-NZ">
      <body>{children}</body>
    </html>
  );
}
